# SPDX-License-Identifier: BSD-3-Clause
# A part of `cmake --install`: copies what a library needs of the prefix of StarPU into a folder of
# the prefix of Zoid, with StarPU's licence. The copies find one another there, and know nothing of
# where they come from. ZoidStarPU.cmake says: library, starpu_prefix, folder, and the objdump that
# CMake asks.

# rpath_of(result file): where it says that the loader has to look.
function(rpath_of result file)
    execute_process(COMMAND ${CMAKE_GET_RUNTIME_DEPENDENCIES_COMMAND} -p ${file}
        OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    set(rpath)
    if(text MATCHES "\n *(RPATH|RUNPATH) +([^\n]*)")
        set(rpath ${CMAKE_MATCH_2})
    endif()
    set(${result} "${rpath}" PARENT_SCOPE)
endfunction()

# Both names of the prefix, where one of them is a link.
file(REAL_PATH ${starpu_prefix} real)
set(prefixes ${starpu_prefix} ${real})
set(inside ${prefixes})
list(TRANSFORM inside REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1")
list(TRANSFORM inside REPLACE "(.+)" "^\\1/")
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${library}
    DIRECTORIES ${starpu_prefix}/lib
    RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR unknown
    POST_INCLUDE_REGEXES ${inside} POST_EXCLUDE_REGEXES ".")
if(NOT found)
    message(FATAL_ERROR "nothing in ${starpu_prefix} is what ${library} needs; build Zoid anew")
endif()

set(licence ${starpu_prefix}/share/doc/starpu/COPYING.LGPL)
if(NOT EXISTS ${licence})
    set(licence /usr/share/common-licenses/LGPL-2.1)
endif()
if(NOT EXISTS ${licence})
    message(FATAL_ERROR "StarPU is not copied without its licence: put the text of the LGPL 2.1 "
        "into ${starpu_prefix}/share/doc/starpu/COPYING.LGPL, or build with "
        "-DZOID_BUNDLE_STARPU=OFF")
endif()

set(to ${CMAKE_INSTALL_PREFIX}/${folder})
file(INSTALL ${licence} DESTINATION ${to} RENAME StarPU-COPYING.LGPL)
foreach(name IN LISTS found)
    cmake_path(GET name FILENAME soname)
    file(REAL_PATH ${name} file)
    # What is there has another rpath than the original, so that it would be taken for newer.
    file(REMOVE $ENV{DESTDIR}${to}/${soname})
    file(INSTALL ${file} DESTINATION ${to} RENAME ${soname}
        USE_SOURCE_PERMISSIONS)

    # What does not name the prefix has found others through what loads it, and still will.
    rpath_of(old ${file})
    set(new)
    string(REPLACE ":" ";" entries "${old}")
    foreach(entry IN LISTS entries)
        foreach(prefix IN LISTS prefixes)
            cmake_path(IS_PREFIX prefix ${entry} NORMALIZE ours)
            if(ours)
                set(entry "$ORIGIN")
            endif()
        endforeach()
        list(APPEND new ${entry})
    endforeach()
    list(REMOVE_DUPLICATES new)
    list(JOIN new ":" new)
    if(NOT new STREQUAL old)
        file(RPATH_CHANGE FILE $ENV{DESTDIR}${to}/${soname} OLD_RPATH "${old}" NEW_RPATH "${new}")
    endif()
endforeach()
