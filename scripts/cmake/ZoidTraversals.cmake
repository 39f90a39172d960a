# SPDX-License-Identifier: BSD-3-Clause
# codelets/cpu/traverse.c is compiled once per instruction set and type, the run time picks.

set(zoid_isa_portable)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(zoid_isa_v3 -march=x86-64-v3)
    set(zoid_isa_v4 -march=x86-64-v4 -mprefer-vector-width=512)
    set(zoid_isas portable v3 v4)
else()
    set(zoid_isas portable)
endif()

function(zoid_add_traversals library)
    set(folder ${PROJECT_SOURCE_DIR}/codelets/cpu)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/traverse.c ${folder}/isa_*.h)
    if(NOT ${folder}/traverse.c IN_LIST sources)
        return()
    endif()
    foreach(isa IN LISTS zoid_isas)
        foreach(type f32 f64 u8)
            set(object zoid_traverse_${isa}_${type})
            add_library(${object} OBJECT ${folder}/traverse.c)
            target_compile_definitions(${object} PRIVATE ZOID_ISA=${isa} ZOID_TYPE=${type})
            target_compile_options(${object} PRIVATE -O3 -fno-math-errno -fno-trapping-math
                ${zoid_isa_${isa}} "SHELL:-include ${folder}/isa_${isa}.h")
            target_include_directories(${object} PRIVATE
                ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
            target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:${object}>)
        endforeach()
    endforeach()
endfunction()

# codelets/cuda/march.cu, fused.cu and line.cu are compiled once per type and number of dimensions.
set(zoid_kernels march:f32:3 fused:f32:3 march:f64:3 fused:f64:3 march:f32:2 fused:f32:2 march:f64:2
    fused:f64:2 march:u8:3 fused:u8:3 line:f32:1 fused:f32:1 line:f64:1 fused:f64:1)

function(zoid_add_kernels library)
    set(folder ${PROJECT_SOURCE_DIR}/codelets/cuda)
    if(NOT ZOID_HAVE_CUDA OR NOT EXISTS ${folder}/run.cu)
        return()
    endif()
    foreach(kernel IN LISTS zoid_kernels)
        string(REPLACE ":" ";" part ${kernel})
        list(GET part 0 file)
        list(GET part 1 type)
        list(GET part 2 dims)
        set(object zoid_kernels_${file}_${type}_${dims}d)
        add_library(${object} OBJECT ${folder}/${file}.cu)
        target_compile_definitions(${object} PRIVATE ZOID_TYPE=${type} ZOID_DIMS=${dims})
        list(APPEND objects ${object})
    endforeach()
    add_library(zoid_kernels OBJECT ${folder}/run.cu ${folder}/finish.cu)
    foreach(object IN LISTS objects ITEMS zoid_kernels)
        # The same bits as the CPU: a product and a sum are fused where the source says so only.
        target_compile_options(${object} PRIVATE --fmad=false --std=c++20)
        set_property(TARGET ${object} PROPERTY POSITION_INDEPENDENT_CODE ON)
        target_include_directories(${object} PRIVATE
            ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
        target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:${object}>)
    endforeach()
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/codelets/ops.c PROPERTY
        COMPILE_DEFINITIONS ZOID_KERNELS)
endfunction()
