# SPDX-License-Identifier: BSD-3-Clause
# Finds StarPU by pkg-config: in ZOID_STARPU_PREFIX (variable, then environment), in what
# scripts/setup built for this user, or in the system. Sets StarPU_VERSION, StarPU_PREFIX,
# StarPU_FOLDER (that of its libraries), StarPU_CUDA and StarPU_FXT, and makes the targets
# StarPU::StarPU and, if it is there, StarPU::MPI.

find_package(PkgConfig REQUIRED)

set(ZOID_STARPU_PREFIX "$ENV{ZOID_STARPU_PREFIX}" CACHE PATH
    "Where StarPU is installed (empty: look for it)")
set(starpu_prefix "${ZOID_STARPU_PREFIX}")
if(NOT starpu_prefix)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/setup --prefix
        OUTPUT_VARIABLE starpu_prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()

# pkg-config's answers are cached; a StarPU from elsewhere must not meet those of the last one.
if(NOT starpu_prefix STREQUAL "${ZOID_STARPU_PREFIX_USED}")
    get_cmake_property(cached CACHE_VARIABLES)
    list(FILTER cached INCLUDE REGEX "^(pkgcfg_lib_)?STARPU")
    foreach(variable IN LISTS cached)
        unset(${variable} CACHE)
    endforeach()
    set(ZOID_STARPU_PREFIX_USED "${starpu_prefix}" CACHE INTERNAL "")
endif()

set(saved_path "$ENV{PKG_CONFIG_PATH}")
if(starpu_prefix)
    set(ENV{PKG_CONFIG_PATH} "${starpu_prefix}/lib/pkgconfig:${saved_path}")
endif()
foreach(series 1.4 1.3)
    pkg_check_modules(STARPU QUIET IMPORTED_TARGET GLOBAL starpu-${series})
    if(STARPU_FOUND)
        pkg_check_modules(STARPUMPI QUIET IMPORTED_TARGET GLOBAL starpumpi-${series})
        pkg_get_variable(starpu_include starpu-${series} includedir)
        set(StarPU_CONFIG ${starpu_include}/starpu/${series}/starpu_config.h)
        break()
    endif()
endforeach()
set(ENV{PKG_CONFIG_PATH} "${saved_path}")

include(FindPackageHandleStandardArgs)
set(StarPU_VERSION ${STARPU_VERSION})
find_package_handle_standard_args(StarPU
    REQUIRED_VARS STARPU_LINK_LIBRARIES StarPU_CONFIG
    VERSION_VAR StarPU_VERSION
    REASON_FAILURE_MESSAGE "run scripts/setup, or set ZOID_STARPU_PREFIX")

if(StarPU_FOUND)
    set(StarPU_PREFIX ${STARPU_PREFIX})
    set(starpu_library ${STARPU_LINK_LIBRARIES})
    list(FILTER starpu_library INCLUDE REGEX "/libstarpu-[^/]*$")
    cmake_path(GET starpu_library PARENT_PATH StarPU_FOLDER)
    foreach(feature CUDA FXT)
        file(STRINGS ${StarPU_CONFIG} StarPU_${feature} REGEX "^#define STARPU_USE_${feature} 1")
    endforeach()
    add_library(StarPU::StarPU ALIAS PkgConfig::STARPU)
    if(STARPUMPI_FOUND)
        add_library(StarPU::MPI ALIAS PkgConfig::STARPUMPI)
    endif()
endif()
