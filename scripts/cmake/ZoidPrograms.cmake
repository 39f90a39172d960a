# SPDX-License-Identifier: BSD-3-Clause
# Programs and tests are found by their names: apps/zoid-NAME.c, tests/**/test_NAME.c and .sh. What
# else lies in those folders, and in the folders of apps/, is code that they share.
#
# Programs that run sessions link libzoid, and so use its public headers alone. Others link
# libzoid-inside, which shows them everything: zoid-bench, which measures parts of the library;
# zoid-info, which lists its tables, prints rates and calibrates the machine; zoid-model, which
# calls the planner and writes rates; and zoid-trace, which reads the files of runtime/trace/.
set(zoid_inside_apps zoid-bench zoid-info zoid-model zoid-trace)

include(CheckCCompilerFlag)

# zoid_shared(target, sources...): the shared part; an empty one links nothing.
function(zoid_shared target)
    if(ARGN)
        add_library(${target} STATIC ${ARGN})
        target_link_libraries(${target} PUBLIC zoid_inside zoid_backends)
    else()
        add_library(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE zoid_inside zoid_backends)
    endif()
endfunction()

# The plain loops that zoid-bench compares runs with, as anybody would compile them for the machine
# at hand; left out without OpenMP, and with sanitizers, which nobody measures.
function(zoid_add_yardstick)
    find_package(OpenMP QUIET COMPONENTS C)
    if(NOT OpenMP_C_FOUND OR NOT TARGET zoid-bench OR ZOID_SANITIZE)
        return()
    endif()
    check_c_compiler_flag(-march=native ZOID_MARCH_NATIVE)
    set(flags -O3)
    if(ZOID_MARCH_NATIVE)
        list(APPEND flags -march=native)
    endif()
    set(source ${PROJECT_SOURCE_DIR}/apps/bench/yardstick.c)
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}")
    target_sources(zoid-bench PRIVATE ${source})
    target_link_libraries(zoid-bench PRIVATE OpenMP::OpenMP_C)
endfunction()

function(zoid_add_apps)
    file(GLOB mains CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/zoid-*.c)
    # Compiled once; which library it is linked to is up to the program.
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/cli/*.c)
    add_library(zoid_driver STATIC ${sources} $<TARGET_OBJECTS:zoid_launcher>)
    target_include_directories(zoid_driver PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(zoid_driver PUBLIC m)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/bench/*.c
        ${PROJECT_SOURCE_DIR}/apps/inside/*.c)
    list(FILTER sources EXCLUDE REGEX "/yardstick\\.c$")
    zoid_shared(zoid_measuring ${sources})
    target_link_libraries(zoid_measuring PUBLIC zoid_driver)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/model/*.c)
    zoid_shared(zoid_modelling ${sources})
    target_link_libraries(zoid_modelling PUBLIC zoid_driver)
    # One program draws, so that no other one loads Cairo and what comes with it.
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/trace/*.c)
    zoid_shared(zoid_drawing ${sources})
    target_link_libraries(zoid_drawing PUBLIC zoid_driver PkgConfig::CAIRO)
    # The compiler of loop nests uses nothing of the library but its messages.
    if(ZOID_HAVE_ISL)
        file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/compile/*.c)
        add_library(zoid_compiling STATIC ${sources})
        target_include_directories(zoid_compiling PUBLIC ${PROJECT_SOURCE_DIR})
        target_link_libraries(zoid_compiling PUBLIC PkgConfig::ISL m ${CMAKE_DL_LIBS})
        # Where the package is, from an installed program, and with what Zoid is built.
        file(RELATIVE_PATH package /${CMAKE_INSTALL_BINDIR}
            /${CMAKE_INSTALL_LIBDIR}/cmake/zoid)
        set(definitions ZOID_PACKAGE="${package}")
        if(ZOID_HAVE_CUDA)
            string(REPLACE ";" "\\\\;" architectures "${CMAKE_CUDA_ARCHITECTURES}")
            list(APPEND definitions ZOID_NVCC="${CMAKE_CUDA_COMPILER}"
                ZOID_ARCHITECTURES="${architectures}")
        endif()
        set_source_files_properties(${PROJECT_SOURCE_DIR}/apps/compile/build.c PROPERTIES
            COMPILE_DEFINITIONS "${definitions}")
    else()
        list(FILTER mains EXCLUDE REGEX "/zoid-compile\\.c$")
    endif()
    foreach(main IN LISTS mains)
        cmake_path(GET main STEM app)
        add_executable(${app} ${main})
        if(app IN_LIST zoid_inside_apps)
            target_link_libraries(${app} PRIVATE zoid_measuring)
        else()
            target_link_libraries(${app} PRIVATE zoid_driver zoid)
        endif()
        set_target_properties(${app} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/apps)
    endforeach()
    if(TARGET zoid-model)
        target_link_libraries(zoid-model PRIVATE zoid_modelling)
    endif()
    if(TARGET zoid-compile)
        target_link_libraries(zoid-compile PRIVATE zoid_compiling)
    endif()
    if(TARGET zoid-trace)
        target_link_libraries(zoid-trace PRIVATE zoid_drawing)
    endif()
    zoid_add_yardstick()
    list(TRANSFORM mains REPLACE ".*/(zoid-[^/]*)\\.c$" "\\1")
    set(zoid_apps ${mains} PARENT_SCOPE)
endfunction()

# Several tests run at once: their workers are not bound, StarPU's models stay in the build folder,
# and nothing is measured beside others.
set(zoid_test_environment
    ZOID_BUILD_DIR=${PROJECT_BINARY_DIR}
    STARPU_HOME=${PROJECT_BINARY_DIR}/starpu
    STARPU_WORKERS_NOBIND=1
    ZOID_RATES_MODE=default
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

# zoid_read_times(): seconds_NAME of each test, from tests/times.txt.
macro(zoid_read_times)
    set(times ${PROJECT_SOURCE_DIR}/tests/times.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${times})
    file(STRINGS ${times} lines REGEX "^[^#]+ [0-9]")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^([^ ]+) ([0-9]+)" line "${line}")
        set(seconds_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endforeach()
endmacro()

# zoid_label(name source): the labels that a test's first comment line may have, as in
# `labels: repeats, measures`. A run with sanitizers leaves out those that have any:
#
#   builds      programs of its own, which have no sanitizers or are built for long
#   measures    and would measure sanitizers
#   repeats     by other ways, or for other cases, what tests without a label show
#   slow        for what it shows
#   files-only  looks at files and runs nothing of the build
function(zoid_label name source)
    file(STRINGS ${source} labels LIMIT_COUNT 3 REGEX "^(#|/\\*) labels: ")
    string(REGEX REPLACE "^(#|/\\*) labels: | *\\*/$" "" labels "${labels}")
    string(REGEX REPLACE ", *" ";" labels "${labels}")
    foreach(label IN LISTS labels)
        if(NOT label MATCHES "^(builds|measures|repeats|slow|files-only)$")
            message(FATAL_ERROR "${source}: there is no label '${label}'")
        endif()
    endforeach()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# zoid_register(name source command...)
function(zoid_register name source)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    zoid_label(${name} ${source})
    # Ten times what it takes elsewhere is too long. Sanitized programs take ten times as long to
    # start and to end, and those with a GPU wait for each other's driver.
    set(limit 600)
    if(DEFINED seconds_${name})
        math(EXPR limit "10 * (${seconds_${name}} + 1)")
        if(limit LESS 60)
            set(limit 60)
        endif()
        set_tests_properties(${name} PROPERTIES COST ${seconds_${name}})
    endif()
    if(ZOID_SANITIZE)
        math(EXPR limit "5 * ${limit}")
    elseif(ZOID_HAVE_CUDA)
        math(EXPR limit "3 * ${limit}")
    endif()
    if("$ENV{ZOID_EFFORT}" STREQUAL long)
        math(EXPR limit "10 * ${limit}")
    endif()
    set(environment ${zoid_test_environment})
    # These start no StarPU. The preset's option, which leaves out libraries that are not
    # instrumented, also leaves out all copies.
    if(ZOID_SANITIZE MATCHES thread AND name MATCHES "^codelets/")
        list(APPEND environment TSAN_OPTIONS=halt_on_error=1)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${limit} SKIP_RETURN_CODE 77
        ENVIRONMENT "${environment}" FIXTURES_REQUIRED measured_bus)
endfunction()

function(zoid_add_tests)
    # StarPU measures the bus at its first start; several first starts at once would trip each
    # other.
    if(TARGET zoid-info)
        add_test(NAME apps/zoid-info COMMAND zoid-info)
        set_tests_properties(apps/zoid-info PROPERTIES
            ENVIRONMENT "${zoid_test_environment}" FIXTURES_SETUP measured_bus)
    endif()

    zoid_read_times()
    pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
    set(folder ${PROJECT_SOURCE_DIR}/tests)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.c)
    # A project of its own, which a test builds; and what zoid-compile reads.
    list(FILTER sources EXCLUDE REGEX "^${folder}/(outside|loops|apps/compile/nests)/")
    if(ZOID_HAVE_CUDA)
        list(REMOVE_ITEM sources ${folder}/codelets/gpu_plain.c)
    else()
        list(REMOVE_ITEM sources ${folder}/codelets/gpu_cuda.c)
    endif()
    if(NOT ZOID_HAVE_ISL)
        list(FILTER sources EXCLUDE REGEX "^${folder}/apps/compile/")
    endif()
    set(tests ${sources})
    list(FILTER tests INCLUDE REGEX "/test_[^/]*\\.c$")
    list(FILTER sources EXCLUDE REGEX "/test_[^/]*\\.c$")
    zoid_shared(zoid_testing ${sources})
    set(cores)
    if(NOT ZOID_TEST_KERNELS)
        set(cores CORES_ONLY)
    endif()
    zoid_add_operators(zoid_testing ROWS tests/outside/relax.def TABLE relax_op ${cores})
    # A target has one table.
    add_library(zoid_lopsided STATIC)
    target_link_libraries(zoid_lopsided PUBLIC zoid_inside)
    zoid_add_operators(zoid_lopsided ROWS tests/outside/lopsided.def TABLE lopsided_op ${cores})
    target_link_libraries(zoid_testing PUBLIC zoid_lopsided)
    foreach(test IN LISTS tests)
        cmake_path(RELATIVE_PATH test BASE_DIRECTORY ${folder} OUTPUT_VARIABLE name)
        cmake_path(REMOVE_EXTENSION name)
        string(REPLACE "/" "_" target "${name}")
        add_executable(${target} ${test})
        target_link_libraries(${target} PRIVATE
            zoid_testing zoid_measuring PkgConfig::CHECK)
        if(name MATCHES "^apps/trace/")
            target_link_libraries(${target} PRIVATE zoid_drawing)
        endif()
        if(name MATCHES "^apps/compile/")
            target_link_libraries(${target} PRIVATE zoid_compiling)
        endif()
        set_target_properties(${target} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        zoid_register(${name} ${test} ${target})
    endforeach()

    file(GLOB_RECURSE scripts CONFIGURE_DEPENDS ${folder}/test_*.sh)
    foreach(script IN LISTS scripts)
        cmake_path(RELATIVE_PATH script BASE_DIRECTORY ${folder} OUTPUT_VARIABLE name)
        cmake_path(REMOVE_EXTENSION name)
        zoid_register(${name} ${script} bash ${script})
    endforeach()
    # Blocks that come and go by themselves wait for turns of milliseconds where other programs are
    # on the GPU; and what compares two clocks is short.
    set_tests_properties(codelets/block/test_run_gpu runtime/trace/test_trace
        apps/trace/test_trace_files apps/test_rank_reports PROPERTIES RUN_SERIAL TRUE)
endfunction()
