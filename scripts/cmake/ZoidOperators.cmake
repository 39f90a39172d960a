# SPDX-License-Identifier: BSD-3-Clause
# What rows of operators become: their table, their loops for the reference, and their traversals
# for every device and instruction set, of which the run time picks. Used for Zoid's own rows, and
# installed for those of others:
#
#     find_package(zoid REQUIRED)
#     add_executable(mine main.c)
#     target_link_libraries(mine PRIVATE zoid::zoid)
#     zoid_add_operators(mine ROWS mine.def TABLE mine_op)
#
# adds to the target `const struct zoid_op *mine_op(size_t i)`, the i-th variant of the rows, NULL
# past the end. With CUDA, where both Zoid and the project have it, they run on GPUs too.
#
#     zoid_add_operators(mine MODULE ROWS mine.def)
#
# makes a target of its own, the shared object mine.so, for zoid_operators_load and --load. With
# CORES_ONLY no code for GPUs is made, which takes minutes; with ISAS, a list of v3 and v4, or none,
# code for cores of these instruction sets and the portable one only. Processors that have a better
# one then refuse a module. CALLS NAME_call.c ... EXPORTS NAME ... adds functions of nests, as
# zoid-compile writes them, to a module.

# Where the sources are, beside the headers: as in the tree, or as installed.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/codelets)
    set_property(GLOBAL PROPERTY zoid_codelets ${CMAKE_CURRENT_LIST_DIR}/codelets)
else()
    cmake_path(SET codelets NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../codelets)
    set_property(GLOBAL PROPERTY zoid_codelets ${codelets})
    unset(codelets)
endif()

set_property(GLOBAL PROPERTY zoid_operators_folder ${CMAKE_CURRENT_LIST_DIR})
set_property(GLOBAL PROPERTY zoid_operators_version ${zoid_VERSION})

# The sources for cores that are compiled for rows, relative to codelets/.
set(zoid_row_sources op/table.c op/loops.c cpu/rows.c cpu/skewed.c cpu/traverse.c cpu/walk.c)

# zoid_operators_object(target name source definitions...): a source compiled for rows, into the
# target.
function(zoid_operators_object target name source)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    cmake_path(GET codelets PARENT_PATH beside)
    set(object ${target}_${name})
    add_library(${object} OBJECT ${codelets}/${source})
    target_compile_definitions(${object} PRIVATE ${ARGN})
    target_include_directories(${object} PRIVATE
        $<TARGET_PROPERTY:zoid::zoid,INTERFACE_INCLUDE_DIRECTORIES> ${beside})
    # The same bits everywhere: a product and a sum are fused where the source says so only.
    target_compile_options(${object} PRIVATE $<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>
        $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false> $<$<COMPILE_LANGUAGE:CUDA>:--std=c++20>)
    set_target_properties(${object} PROPERTIES POSITION_INDEPENDENT_CODE ON
        C_STANDARD 11 C_EXTENSIONS ON CUDA_RUNTIME_LIBRARY Shared)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    set_property(TARGET ${target} APPEND PROPERTY zoid_operators ${object})
endfunction()

# zoid_c_compiler(result): the words of the C compiler's call, two or more where CC names a launcher
# or options.
function(zoid_c_compiler result)
    separate_arguments(words UNIX_COMMAND "${CMAKE_C_COMPILER_ARG1}")
    set(${result} ${CMAKE_C_COMPILER} ${words} PARENT_SCOPE)
endfunction()

# zoid_operators_text(target rows): the hash of the rows and of the headers that they include, for
# the table: checkpoints and rates are those of a text. Zoid's own rows go by its version.
function(zoid_operators_text target rows)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    cmake_path(GET codelets PARENT_PATH tree)
    cmake_path(ABSOLUTE_PATH rows BASE_DIRECTORY ${tree})
    if(rows STREQUAL "${codelets}/ops.def")
        return()
    endif()
    get_target_property(includes zoid::zoid INTERFACE_INCLUDE_DIRECTORIES)
    string(GENEX_STRIP "${includes}" includes)
    list(APPEND includes ${tree})
    get_property(folder GLOBAL PROPERTY zoid_operators_folder)
    zoid_c_compiler(compiler)
    set(text ${CMAKE_CURRENT_BINARY_DIR}/${target}_text.h)
    add_custom_command(OUTPUT ${text} DEPENDS ${rows} ${folder}/ZoidText.cmake DEPFILE ${text}.d
        COMMAND ${CMAKE_COMMAND} "-Drows=${rows}" "-Dcodelets=${codelets}" "-Dincludes=${includes}"
            "-Dcompiler=${compiler}" "-Dtext=${text}" -P ${folder}/ZoidText.cmake VERBATIM)
    target_sources(${target}_table PRIVATE ${text})
    target_compile_definitions(${target}_table PRIVATE ZOID_TEXT_FILE="${text}")
endfunction()

# The sources for GPUs, relative to codelets/: those that are compiled for rows, and the others.
function(zoid_kernel_sources for_rows others)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${codelets} ${codelets}/cuda/*.cu)
    set(${others} ${sources})
    foreach(source IN LISTS sources)
        file(STRINGS ${codelets}/${source} rows REGEX "^#include ZOID_ROWS")
        if(rows)
            list(APPEND with_rows ${source})
            list(REMOVE_ITEM ${others} ${source})
        endif()
    endforeach()
    set(${for_rows} ${with_rows} PARENT_SCOPE)
    set(${others} ${${others}} PARENT_SCOPE)
endfunction()

# zoid_list_variants(rows result): what those rows become, as type:dimensions:family, each once.
# The preprocessor tells, so that there is no list beside the rows.
function(zoid_list_variants rows result)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    get_target_property(includes zoid::zoid INTERFACE_INCLUDE_DIRECTORIES)
    string(GENEX_STRIP "${includes}" includes)
    list(APPEND includes ${codelets}/..)
    list(TRANSFORM includes PREPEND -I)
    string(MD5 name ${rows})
    set(asked ${CMAKE_CURRENT_BINARY_DIR}/zoid_variants_${name}.c)
    file(WRITE ${asked} "#include \"codelets/ops/lists.h\"\n"
        "#define ZOID_VARIANT(name, family, dims, radius, type, ...) "
        "zoid_variant type dims family;\n"
        "#include \"${rows}\"\n")
    zoid_c_compiler(compiler)
    execute_process(COMMAND ${compiler} -E -P ${includes} ${asked}
        OUTPUT_VARIABLE text ERROR_VARIABLE errors RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "The preprocessor does not take the rows in ${rows}:\n${errors}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rows})
    string(REGEX MATCHALL "zoid_variant +[a-z0-9]+ +[0-9] +[A-Za-z0-9_]+" variants "${text}")
    list(TRANSFORM variants REPLACE "^zoid_variant +" "")
    list(TRANSFORM variants REPLACE " +" ":")
    list(REMOVE_DUPLICATES variants)
    set(${result} ${variants} PARENT_SCOPE)
endfunction()

# zoid_kernel_objects(target rows): the sources for GPUs, compiled for the rows into the target. A
# file a type and number of dimensions that there are, so that they can be compiled at the same
# time; of a source that speaks of ZOID_ONLY, which takes longest, one for each family of these.
# Where nvcc hardly optimises, four families share one: the headers would take most of the time.
function(zoid_kernel_objects target rows)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    zoid_list_variants(${rows} variants)
    zoid_kernel_sources(sources others)
    set(share 1)
    if(CMAKE_CUDA_FLAGS MATCHES "--Ofast-compile=max")
        set(share 4)
    endif()
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        file(STRINGS ${codelets}/${source} splits REGEX "ZOID_ONLY")
        # Lines have a source of their own, and sweeps in order one in 2-D.
        set(taken 2 3)
        if(name STREQUAL line)
            set(taken 1)
        elseif(name STREQUAL skewed)
            set(taken 2)
        endif()
        foreach(variant IN LISTS variants)
            string(REPLACE ":" ";" variant ${variant})
            list(GET variant 0 type)
            list(GET variant 1 dims)
            list(GET variant 2 family)
            if(NOT dims IN_LIST taken)
                continue()
            endif()
            set(object cuda_${name}_${type}_${dims}d)
            set(only)
            if(splits)
                set(families families_${object})
                list(LENGTH ${families} first)
                list(APPEND ${families} ${family})
                math(EXPR first "${first} / ${share} * ${share}")
                list(GET ${families} ${first} first)
                string(APPEND object _${first})
                set(only ZOID_ONLY=${first})
            endif()
            if(NOT TARGET ${target}_${object})
                zoid_operators_object(${target} ${object} ${source} ZOID_ROWS="${rows}"
                    ZOID_TYPE=${type} ZOID_DIMS=${dims} ${only})
            endif()
            if(splits)
                target_compile_definitions(${target}_${object} PRIVATE
                    ZOID_SAME_${family}_${first}=ZOID_COMMA)
            endif()
        endforeach()
    endforeach()
endfunction()

# zoid_isas(): sets isas to what code for cores is compiled for, and flags_ISA to the options.
macro(zoid_isas)
    set(isas portable)
    set(flags_portable)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
        list(APPEND isas v3 v4)
        set(flags_v3 -march=x86-64-v3)
        set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
    endif()
endmacro()

function(zoid_add_operators target)
    set(loops_level -O2)
    set(traverse_level -O3)
    # With sanitizers the compiler takes minutes for each of these sources as soon as it optimises,
    # and a minute with checks of behaviour in them; with calls of the address sanitizer's checks,
    # in place of their code, half as long. Of several instruction sets the last one, whose vectors
    # are the longest, is checked.
    if(ZOID_SANITIZE)
        set(loops_level -O0 -g0 -fno-sanitize=undefined
            "SHELL:--param asan-instrumentation-with-call-threshold=0")
        set(traverse_level ${loops_level})
        # They run on this machine alone, so that loops need no second copy for others.
        if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
            file(STRINGS /proc/cpuinfo fma LIMIT_COUNT 1 REGEX "^flags.* fma ")
            if(fma)
                list(APPEND loops_level -mfma)
            endif()
        endif()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "MODULE;CORES_ONLY" "ROWS;TABLE" "ISAS;CALLS;EXPORTS")
    set(described)
    if(arg_MODULE)
        set(arg_TABLE zoid_module_op)
        get_property(version GLOBAL PROPERTY zoid_operators_version)
        set(described ZOID_MODULE_VERSION="${version}")
        # What shows: the name that zoid_operators_load asks for, and functions of nests.
        set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
        list(JOIN arg_EXPORTS " " exports)
        string(REGEX REPLACE "([^ ]+)" "\\1;" exports "${exports}")
        file(CONFIGURE OUTPUT ${map} CONTENT "{ global: zoid_module; ${exports} local: *; };\n")
        add_library(${target} MODULE)
        set_target_properties(${target} PROPERTIES PREFIX "" LINK_DEPENDS ${map})
        target_link_libraries(${target} PRIVATE zoid::zoid)
        target_link_options(${target} PRIVATE LINKER:--version-script=${map})
    endif()
    cmake_path(ABSOLUTE_PATH arg_ROWS)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    # Rows of this tree by their name in it, so that a compiler's cache knows them in any folder.
    cmake_path(GET codelets PARENT_PATH tree)
    cmake_path(IS_PREFIX tree ${arg_ROWS} NORMALIZE inside)
    if(inside)
        cmake_path(RELATIVE_PATH arg_ROWS BASE_DIRECTORY ${tree})
    endif()
    set(rows "ZOID_ROWS=\"${arg_ROWS}\"")
    set(kernels)
    if(CMAKE_CUDA_COMPILER_LOADED AND (zoid_CUDA OR ZOID_HAVE_CUDA) AND NOT arg_CORES_ONLY)
        set(kernels ZOID_KERNELS)
        set_property(TARGET ${target} PROPERTY CUDA_RUNTIME_LIBRARY Shared)
        zoid_kernel_objects(${target} ${arg_ROWS})
    endif()
    zoid_isas()
    # Sanitized code takes minutes to compile, and runs on this machine alone.
    if(ZOID_SANITIZE AND v4 IN_LIST isas AND NOT DEFINED arg_ISAS)
        file(STRINGS /proc/cpuinfo avx512 LIMIT_COUNT 1 REGEX "^flags.*avx512vl")
        if(NOT avx512)
            set(arg_ISAS v3)
        endif()
    endif()
    if(DEFINED arg_ISAS OR "ISAS" IN_LIST arg_KEYWORDS_MISSING_VALUES)
        set(others ${isas})
        foreach(isa IN LISTS arg_ISAS)
            if(NOT isa IN_LIST isas)
                message(FATAL_ERROR "There is no instruction set ${isa} here; there are ${isas}")
            endif()
        endforeach()
        list(REMOVE_ITEM others portable ${arg_ISAS})
        list(REMOVE_ITEM isas ${others})
        list(TRANSFORM others PREPEND ZOID_NO_)
        list(APPEND described ${others})
    endif()
    zoid_operators_object(${target} table op/table.c ${rows} ZOID_TABLE=${arg_TABLE} ${kernels}
        ${described})
    zoid_operators_text(${target} ${arg_ROWS})
    zoid_operators_object(${target} loops op/loops.c ${rows})
    target_compile_options(${target}_loops PRIVATE ${loops_level})
    zoid_operators_object(${target} rows cpu/rows.c ${rows})
    target_compile_options(${target}_rows PRIVATE ${loops_level})
    zoid_operators_object(${target} walk cpu/walk.c)
    target_compile_options(${target}_walk PRIVATE -O2)
    target_link_libraries(${target} PRIVATE m)
    if(arg_CALLS)
        foreach(name call touched)
            zoid_operators_object(${target} ${name} ../apps/compile/call/${name}.c)
            target_compile_options(${target}_${name} PRIVATE -O2)
        endforeach()
        target_sources(${target} PRIVATE ${arg_CALLS})
        target_include_directories(${target} PRIVATE ${tree})
    endif()

    list(GET isas -1 longest)
    foreach(isa IN LISTS isas)
        set(unchecked)
        if(ZOID_SANITIZE AND NOT isa STREQUAL longest)
            set(unchecked -fno-sanitize=all)
        endif()
        foreach(type f32 f64 u8)
            set(name traverse_${isa}_${type})
            zoid_operators_object(${target} ${name} cpu/traverse.c ${rows}
                ZOID_ISA=${isa} ZOID_TYPE=${type})
            target_compile_options(${target}_${name} PRIVATE
                ${traverse_level} ${unchecked} -fno-math-errno -fno-trapping-math
                ${flags_${isa}} "SHELL:-include ${codelets}/cpu/isa_${isa}.h")
        endforeach()
        # Rows of points at several times, in vectors.
        foreach(type f32 f64)
            if(NOT isa STREQUAL portable)
                set(name skewed_${isa}_${type})
                zoid_operators_object(${target} ${name} cpu/skewed.c ${rows}
                    ZOID_ISA=${isa} ZOID_TYPE=${type})
                target_compile_options(${target}_${name} PRIVATE
                    ${traverse_level} ${unchecked} -fno-math-errno -fno-trapping-math
                    ${flags_${isa}} "SHELL:-include ${codelets}/cpu/isa_${isa}.h")
            endif()
        endforeach()
    endforeach()
endfunction()

# zoid_lane_rows(target): sweeps in the lanes of vectors, for Zoid's own library.
function(zoid_lane_rows target)
    set(level -O3)
    if(ZOID_SANITIZE)
        set(level -O1)
    endif()
    zoid_isas()
    list(REMOVE_ITEM isas portable)
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    foreach(isa IN LISTS isas)
        foreach(type f32 f64)
            set(name lane_rows_${isa}_${type})
            zoid_operators_object(${target} ${name} cpu/lane_rows.c
                ZOID_ISA=${isa} ZOID_TYPE=${type})
            target_compile_options(${target}_${name} PRIVATE ${level} -fno-math-errno
                -fno-trapping-math ${flags_${isa}} "SHELL:-include ${codelets}/cpu/isa_${isa}.h")
            foreach(library zoid zoid_inside)
                target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}_${name}>)
            endforeach()
        endforeach()
    endforeach()
endfunction()

# zoid_band_kernels(target): rows of band matrices times vectors, for Zoid's own library.
function(zoid_band_kernels target)
    set(level -O3)
    if(ZOID_SANITIZE)
        set(level -O1)
    endif()
    zoid_isas()
    get_property(codelets GLOBAL PROPERTY zoid_codelets)
    foreach(isa IN LISTS isas)
        foreach(type f32 f64)
            set(name band_${isa}_${type})
            zoid_operators_object(${target} ${name} band/kernels.c
                ZOID_ISA=${isa} ZOID_TYPE=${type})
            target_compile_options(${target}_${name} PRIVATE ${level} -fno-math-errno
                -fno-trapping-math ${flags_${isa}} "SHELL:-include ${codelets}/cpu/isa_${isa}.h")
            foreach(library zoid zoid_inside)
                target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}_${name}>)
            endforeach()
        endforeach()
    endforeach()
endfunction()
