# SPDX-License-Identifier: BSD-3-Clause
# Settles ZOID_HAVE_CUDA, ZOID_HAVE_MPI, ZOID_HAVE_HDF5, ZOID_HAVE_SEGY and ZOID_HAVE_ISL, writes
# runtime/config.h and makes zoid_backends: the libraries that libzoid links.

foreach(option ZOID_CUDA ZOID_MPI ZOID_HDF5 ZOID_SEGY ZOID_ISL)
    if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
        message(FATAL_ERROR "${option} is AUTO, ON or OFF, not '${${option}}'")
    endif()
endforeach()

# zoid_lacks(CUDA reason): an error where CUDA=ON was asked for, a remark where it is AUTO.
function(zoid_lacks backend reason)
    if(ZOID_${backend} STREQUAL ON)
        message(FATAL_ERROR "ZOID_${backend}=ON, but ${reason}")
    endif()
    message(STATUS "Without ${backend}: ${reason}")
endfunction()

# zoid_gpus_here(result): the architectures of this machine's GPUs, as far as the kernels go; where
# there are none, those that most have elsewhere.
function(zoid_gpus_here result)
    set(least 80)
    set(found)
    find_program(ZOID_NVIDIA_SMI nvidia-smi)
    mark_as_advanced(ZOID_NVIDIA_SMI)
    if(ZOID_NVIDIA_SMI)
        execute_process(COMMAND ${ZOID_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
            OUTPUT_VARIABLE text ERROR_QUIET)
        string(REGEX MATCHALL "[0-9]+[.][0-9]" found "${text}")
        list(TRANSFORM found REPLACE "[.]" "")
        list(REMOVE_DUPLICATES found)
    endif()
    foreach(architecture IN LISTS found)
        if(architecture LESS least)
            list(REMOVE_ITEM found ${architecture})
        endif()
    endforeach()
    if(NOT found)
        set(found 80 90)
    endif()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

add_library(zoid_backends INTERFACE)
target_link_libraries(zoid_backends INTERFACE
    StarPU::StarPU PkgConfig::JANSSON PkgConfig::HWLOC PkgConfig::ZLIB ${CMAKE_DL_LIBS})

set(ZOID_HAVE_CUDA 0)
if(NOT ZOID_CUDA STREQUAL OFF)
    find_program(CMAKE_CUDA_COMPILER nvcc
        HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
    if(CMAKE_CUDA_COMPILER)
        execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE zoid_nvcc)
        string(REGEX MATCH "release ([0-9]+[.][0-9]+)" zoid_nvcc "${zoid_nvcc}")
        set(zoid_nvcc "${CMAKE_MATCH_1}")
    endif()
    if(NOT CMAKE_CUDA_COMPILER)
        unset(CMAKE_CUDA_COMPILER CACHE)
        zoid_lacks(CUDA "there is no nvcc")
    elseif(zoid_nvcc VERSION_LESS 12)
        unset(CMAKE_CUDA_COMPILER CACHE)
        zoid_lacks(CUDA
            "nvcc is of CUDA '${zoid_nvcc}', and the kernels take C++20, which came with 12")
    elseif(NOT StarPU_CUDA)
        zoid_lacks(CUDA "StarPU ${StarPU_VERSION} was built without it")
    else()
        if(NOT DEFINED ENV{CUDAARCHS})
            zoid_gpus_here(zoid_architectures)
            set(CMAKE_CUDA_ARCHITECTURES "${zoid_architectures}" CACHE STRING
                "GPU architectures to compile for")
        endif()
        set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        target_link_libraries(zoid_backends INTERFACE CUDA::cudart)
        set(ZOID_HAVE_CUDA 1)
    endif()
endif()

set(ZOID_HAVE_MPI 0)
if(NOT ZOID_MPI STREQUAL OFF)
    find_package(MPI QUIET COMPONENTS C)
    if(NOT MPI_C_FOUND)
        zoid_lacks(MPI "there is no MPI")
    elseif(NOT TARGET StarPU::MPI)
        zoid_lacks(MPI "StarPU ${StarPU_VERSION} was built without it")
    else()
        target_link_libraries(zoid_backends INTERFACE StarPU::MPI MPI::MPI_C)
        set(ZOID_HAVE_MPI 1)
    endif()
endif()

# HDF5 files; xxhash makes the sums of the data in them.
set(ZOID_HAVE_HDF5 0)
if(NOT ZOID_HDF5 STREQUAL OFF)
    find_package(HDF5 QUIET COMPONENTS C HL)
    pkg_check_modules(XXHASH QUIET IMPORTED_TARGET libxxhash)
    if(NOT HDF5_FOUND)
        zoid_lacks(HDF5 "there is no libhdf5 with its high-level library")
    elseif(HDF5_VERSION VERSION_LESS 1.10.7)
        zoid_lacks(HDF5 "libhdf5 is ${HDF5_VERSION}, and 1.10.7 is the first that locks no files")
    elseif(NOT XXHASH_FOUND)
        zoid_lacks(HDF5 "there is no libxxhash")
    else()
        target_include_directories(zoid_backends INTERFACE ${HDF5_C_INCLUDE_DIRS})
        target_link_libraries(zoid_backends INTERFACE
            ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES} PkgConfig::XXHASH)
        set(ZOID_HAVE_HDF5 1)
    endif()
endif()

# SEG-Y: seismic models and gathers.
set(ZOID_HAVE_SEGY 0)
if(NOT ZOID_SEGY STREQUAL OFF)
    find_path(ZOID_SEGYIO_INCLUDE segyio/segy.h)
    find_library(ZOID_SEGYIO_LIBRARY segyio)
    mark_as_advanced(ZOID_SEGYIO_INCLUDE ZOID_SEGYIO_LIBRARY)
    if(NOT ZOID_SEGYIO_INCLUDE OR NOT ZOID_SEGYIO_LIBRARY)
        zoid_lacks(SEGY "there is no libsegyio")
    else()
        target_include_directories(zoid_backends INTERFACE ${ZOID_SEGYIO_INCLUDE})
        target_link_libraries(zoid_backends INTERFACE ${ZOID_SEGYIO_LIBRARY})
        set(ZOID_HAVE_SEGY 1)
    endif()
endif()

# isl: dependences of loop nests, for zoid-compile, which is not built without it.
set(ZOID_HAVE_ISL 0)
if(NOT ZOID_ISL STREQUAL OFF)
    pkg_check_modules(ISL QUIET IMPORTED_TARGET isl>=0.22)
    if(ISL_FOUND)
        set(ZOID_HAVE_ISL 1)
    else()
        zoid_lacks(ISL "there is no libisl of 0.22 or later, so zoid-compile is not built")
    endif()
endif()

set(ZOID_IS_SIMULATED 0)
configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/config.h.in
    ${PROJECT_BINARY_DIR}/generated/runtime/config.h)
message(STATUS "Zoid ${PROJECT_VERSION}: StarPU ${StarPU_VERSION}, "
    "CUDA ${ZOID_HAVE_CUDA}, MPI ${ZOID_HAVE_MPI}, HDF5 ${ZOID_HAVE_HDF5}, "
    "SEG-Y ${ZOID_HAVE_SEGY}, isl ${ZOID_HAVE_ISL}")
