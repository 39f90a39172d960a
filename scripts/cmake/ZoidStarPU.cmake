# SPDX-License-Identifier: BSD-3-Clause
# How what is installed finds the libraries that it needs. A StarPU that is not the system's, such
# as the one that scripts/setup has built in a user's cache, is copied beside Zoid's libraries, by
# the component `starpu`; its place of today is then known to nothing that is installed. Wants
# zoid_private_folder, relative to the prefix.

if(NOT ZOID_BUNDLE_STARPU MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "ZOID_BUNDLE_STARPU is AUTO, ON or OFF, not '${ZOID_BUNDLE_STARPU}'")
endif()

# Where a loader looks by itself.
set(zoid_system_folders ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES}
    ${CMAKE_PLATFORM_IMPLICIT_LINK_DIRECTORIES})

set(zoid_bundle ON)
file(REAL_PATH ${StarPU_FOLDER} folder)
if(ZOID_BUNDLE_STARPU STREQUAL OFF)
    set(zoid_bundle OFF)
elseif(folder IN_LIST zoid_system_folders OR folder MATCHES "^/usr/local/lib")
    set(zoid_bundle OFF)
    if(ZOID_BUNDLE_STARPU STREQUAL ON)
        message(FATAL_ERROR "ZOID_BUNDLE_STARPU=ON, but StarPU is the system's, in ${folder}")
    endif()
endif()

# zoid_folders_of(result item...): the folders of the libraries that targets and files lead to, less
# those of the system and of a StarPU that is copied.
function(zoid_folders_of result)
    set(folders)
    foreach(item IN LISTS ARGN)
        set(more)
        if(item MATCHES "^StarPU::" AND zoid_bundle)
            continue()
        elseif(TARGET "${item}")
            get_target_property(libraries ${item} INTERFACE_LINK_LIBRARIES)
            get_target_property(type ${item} TYPE)
            set(location)
            if(NOT type STREQUAL INTERFACE_LIBRARY)
                get_target_property(location ${item} IMPORTED_LOCATION)
            endif()
            zoid_folders_of(more ${libraries} ${location})
        elseif(IS_ABSOLUTE "${item}" AND item MATCHES "[.]so([.]|$)")
            cmake_path(GET item PARENT_PATH more)
            file(REAL_PATH ${more} folder)
            if(folder IN_LIST zoid_system_folders)
                set(more)
            endif()
        endif()
        list(APPEND folders ${more})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    set(${result} ${folders} PARENT_SCOPE)
endfunction()

# CMake's own way, INSTALL_RPATH_USE_LINK_PATH, would name the cache of who has built this.
zoid_folders_of(folders zoid_backends PkgConfig::CAIRO)
list(APPEND folders ${CMAKE_INSTALL_RPATH})
cmake_path(GET zoid_private_folder FILENAME private)
set_target_properties(zoid PROPERTIES INSTALL_RPATH "$ORIGIN/${private};${folders}")
set_target_properties(zoid_inside PROPERTIES INSTALL_RPATH "$ORIGIN;${folders}")
file(RELATIVE_PATH private /${CMAKE_INSTALL_BINDIR} /${zoid_private_folder})
file(RELATIVE_PATH library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(${zoid_apps} PROPERTIES
    INSTALL_RPATH "$ORIGIN/${library};$ORIGIN/${private};${folders}")

if(zoid_bundle)
    find_program(ZOID_OBJDUMP NAMES ${CMAKE_OBJDUMP} objdump)
    mark_as_advanced(ZOID_OBJDUMP)
    install(CODE "
        set(CMAKE_GET_RUNTIME_DEPENDENCIES_COMMAND \"${ZOID_OBJDUMP}\")
        set(library \"$<TARGET_FILE:zoid_inside>\")
        set(starpu_prefix \"${StarPU_PREFIX}\")
        set(folder \"${zoid_private_folder}\")
        include(\"${PROJECT_SOURCE_DIR}/scripts/cmake/copy_starpu.cmake\")" COMPONENT starpu)
endif()
