# SPDX-License-Identifier: BSD-3-Clause
# zoid_host: libzoid-inside with GPUs made of cores in place of the .cu of codelets/, for tests that
# preload it (tests/outside/host_gpu.h). Of the library's objects it replaces those that look at
# ZOID_HAVE_CUDA, or are compiled with CUDA alone, so that builds without nvcc have it as well. Not
# where StarPU has no CUDA driver.

include(CheckIncludeFile)

function(zoid_add_host_gpu)
    set(CMAKE_REQUIRED_INCLUDES ${STARPU_INCLUDE_DIRS})
    check_include_file(cuda_runtime_api.h ZOID_HAS_CUDA_HEADERS)
    if(NOT StarPU_CUDA OR NOT ZOID_HAS_CUDA_HEADERS OR ZOID_SANITIZE)
        return()
    endif()
    set(ZOID_HAVE_CUDA 1)
    configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/config.h.in
        ${PROJECT_BINARY_DIR}/generated/host/runtime/config.h)
    set(sources runtime/context.c runtime/machine/machine.c runtime/submit/task_cuda.c)
    list(TRANSFORM sources APPEND "[.]o" OUTPUT_VARIABLE replaced)
    list(JOIN replaced "|" replaced)
    add_library(zoid_host SHARED ${sources} codelets/op/table.c
        tests/outside/absent_gpu.c tests/outside/host_gpu.c tests/outside/host_memory.c
        "$<FILTER:$<TARGET_OBJECTS:zoid_objects>,EXCLUDE,/(${replaced})|[.]cu[.]o>"
        $<TARGET_OBJECTS:zoid_launcher>)
    get_property(objects TARGET zoid PROPERTY zoid_operators)
    get_property(others TARGET zoid_objects PROPERTY zoid_operators)
    list(FILTER objects EXCLUDE REGEX "^zoid_(table$|cuda_)")
    foreach(object IN LISTS objects others)
        target_sources(zoid_host PRIVATE $<TARGET_OBJECTS:${object}>)
    endforeach()
    target_compile_definitions(zoid_host PRIVATE HOST_GPU ZOID_KERNELS
        ZOID_ROWS="codelets/ops.def" ZOID_TABLE=zoid_op_built_in)
    target_include_directories(zoid_host PRIVATE ${PROJECT_BINARY_DIR}/generated/host
        ${PROJECT_SOURCE_DIR})
    # A function of the CUDA runtime that does nothing has parameters all the same.
    set_source_files_properties(tests/outside/absent_gpu.c PROPERTIES
        COMPILE_OPTIONS -Wno-unused-parameter)
    target_link_libraries(zoid_host PRIVATE $<BUILD_INTERFACE:zoid_backends> m)
    set_target_properties(zoid_host PROPERTIES OUTPUT_NAME zoid-host LINKER_LANGUAGE C)
endfunction()
