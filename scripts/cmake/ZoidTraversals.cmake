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

function(zoid_add_kernels library)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/codelets/cuda/*.cu)
    if(ZOID_HAVE_CUDA AND sources)
        target_sources(${library} PRIVATE ${sources})
        # The same bits as the CPU: a product and a sum are fused where the source says so only.
        target_compile_options(${library} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
        set_property(TARGET ${library} PROPERTY CUDA_STANDARD 20)
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/codelets/ops.c PROPERTY
            COMPILE_DEFINITIONS ZOID_KERNELS)
    endif()
endfunction()
