# SPDX-License-Identifier: BSD-3-Clause
# Programs that run under StarPU with SimGrid (ZOID_SIMULATED=ON; scripts/simulate), and nothing
# else: no library, no tests, no kernels. smpirun loads a program as a shared object, so that each
# rank has a copy of its own; what smpicc would add to the compiler's options is here.

set(StarPU_prefix ${ZOID_STARPU_PREFIX})
find_path(ZOID_SMPI smpi/smpi_helpers.h REQUIRED)
find_library(ZOID_SIMGRID simgrid REQUIRED)
find_library(ZOID_NUMA numa)

foreach(have CUDA MPI HDF5 SEGY)
    set(ZOID_HAVE_${have} 0)
endforeach()
set(ZOID_IS_SIMULATED 1)
configure_file(scripts/cmake/config.h.in generated/runtime/config.h @ONLY)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    graphs/*.c runtime/*.c codelets/*.c apps/cli/*.c)
# What is compiled for rows of operators, and what runtime/simulate/ has instead.
list(FILTER sources EXCLUDE REGEX
    "^codelets/(op/(table|loops)|cpu/(rows|skewed|traverse|walk|lane_rows)|band/kernels)[.]c$")
list(FILTER sources EXCLUDE REGEX
    "^runtime/(submit/task_(cores|cuda)|memory/scratch|ranks/(mpi|post|share|share_gpus))[.]c$")
list(FILTER sources EXCLUDE REGEX "^runtime/(trace/trace_fxt|simulate/world)[.]c$")
list(FILTER sources EXCLUDE REGEX "^runtime/io/(h5|h5_dataset|h5_attribute|segy)[.]c$")
# Those whose threads do not wait for StarPU's workers, or that a simulation does not start.
set(plain "memory/(disk|pool)|report/progress|session/(api/library|operators|family|shared)")
string(APPEND plain "|log|jobs|plan/kernels|io/output|measure/team|simulate/main")

# One for all ranks, each of which has its own copy of all else.
add_library(zoid_world SHARED runtime/simulate/world.c)
target_include_directories(zoid_world PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(zoid_world PRIVATE ${ZOID_SIMGRID})

add_library(zoid_simulated OBJECT ${sources} codelets/op/table.c)
set_source_files_properties(codelets/op/table.c PROPERTIES COMPILE_DEFINITIONS
    "ZOID_ROWS=\"codelets/ops.def\";ZOID_TABLE=zoid_op_built_in")
set_source_files_properties(runtime/simulate/rows.c PROPERTIES COMPILE_DEFINITIONS
    "ZOID_ROWS=\"codelets/ops.def\"")
foreach(source IN LISTS sources)
    if(source MATCHES "^runtime/" AND NOT source MATCHES "^runtime/(${plain})[.]c$")
        set_property(SOURCE ${source} APPEND_STRING PROPERTY COMPILE_FLAGS
            " -include ${PROJECT_SOURCE_DIR}/runtime/simulate/threads.h")
    elseif(source MATCHES "^apps/cli/")
        set_property(SOURCE ${source} APPEND_STRING PROPERTY COMPILE_FLAGS
            " -include ${PROJECT_SOURCE_DIR}/runtime/simulate/output.h")
    endif()
endforeach()
add_library(zoid_simulation INTERFACE)
target_compile_options(zoid_simulation INTERFACE -ffunction-sections -fdata-sections -fPIC
    "SHELL:-include ${ZOID_SMPI}/smpi/smpi_helpers.h")
target_include_directories(zoid_simulation INTERFACE ${PROJECT_SOURCE_DIR}
    ${PROJECT_BINARY_DIR}/generated ${ZOID_SMPI}/smpi)
target_include_directories(zoid_simulation SYSTEM INTERFACE
    ${StarPU_prefix}/include/starpu/1.4)
target_link_libraries(zoid_simulation INTERFACE zoid_world ${StarPU_prefix}/lib/libstarpumpi-1.4.a
    ${StarPU_prefix}/lib/libstarpu-1.4.a ${ZOID_SIMGRID} PkgConfig::JANSSON PkgConfig::HWLOC
    PkgConfig::ZLIB stdc++ pthread rt m ${CMAKE_DL_LIBS})
if(ZOID_NUMA)
    target_link_libraries(zoid_simulation INTERFACE ${ZOID_NUMA})
endif()
target_link_libraries(zoid_simulated PRIVATE zoid_simulation)

# Solvers, which look at residuals, and matrices, which have values, are not simulated.
foreach(app heat wave life seismic fdtd run)
    add_library(zoid-${app} MODULE apps/zoid-${app}.c $<TARGET_OBJECTS:zoid_simulated>)
    set_target_properties(zoid-${app} PROPERTIES PREFIX "" SUFFIX ""
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/apps)
    target_compile_options(zoid-${app} PRIVATE
        "SHELL:-include ${StarPU_prefix}/include/starpu/1.4/starpu_simgrid_wrap.h")
    target_link_libraries(zoid-${app} PRIVATE zoid_simulation)
    target_link_options(zoid-${app} PRIVATE
        LINKER:--gc-sections,-z,defs,-s,--wrap=zoid_app_main)
endforeach()
