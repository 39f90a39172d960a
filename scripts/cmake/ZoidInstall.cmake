# SPDX-License-Identifier: BSD-3-Clause
# `cmake --install`: library, public headers as <zoid/…>, programs, man pages, CMake package,
# zoid.pc.

include(CMakePackageConfigHelpers)

# What nobody finds by name: the library that shows the programs everything, and StarPU's.
set(zoid_private_folder ${CMAKE_INSTALL_LIBDIR}/zoid)
include(ZoidStarPU)

install(TARGETS zoid EXPORT zoid-targets)
# Headers of runtime/ are installed one folder further up, where they include one another by their
# names alone, so that the stable ones need no folder but that of <zoid/zoid.h>.
foreach(header zoid.h zoid_session.h zoid_program.h zoid_advanced.h)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS runtime/${header})
    file(READ runtime/${header} text)
    string(REPLACE "#include \"runtime/" "#include \"" text "${text}")
    file(CONFIGURE OUTPUT include/${header} CONTENT "${text}" @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/include/${header}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zoid)
endforeach()
# For programs that include the former name, until 0.2.
file(CONFIGURE OUTPUT include/runtime/zoid.h CONTENT
"/* SPDX-License-Identifier: BSD-3-Clause */
/* The former name of zoid_advanced.h; removed in version 0.2. */
#include \"../zoid_advanced.h\"
#include \"../zoid_session.h\"
")
install(FILES ${PROJECT_BINARY_DIR}/include/runtime/zoid.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zoid/runtime)
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} codelets/*.h)
foreach(header graphs/graph.h graphs/kinds.def graphs/zoid.h ${headers})
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zoid/${folder})
endforeach()
install(TARGETS zoid_inside LIBRARY DESTINATION ${zoid_private_folder})
install(TARGETS ${zoid_apps})
# Machines that --machine names, installed and in the folder of the build.
install(DIRECTORY scripts/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/zoid)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/zoid)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/scripts/machines ${PROJECT_BINARY_DIR}/share/zoid/machines
    SYMBOLIC)

# Loop nests, and what measures them, for zoid-bench.
install(DIRECTORY tests/loops DESTINATION ${CMAKE_INSTALL_DATADIR}/zoid
    FILES_MATCHING PATTERN "*.c" PATTERN "main*.c" EXCLUDE)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/tests/loops ${PROJECT_BINARY_DIR}/share/zoid/loops SYMBOLIC)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/zoid)
install(EXPORT zoid-targets NAMESPACE zoid:: DESTINATION ${package})
configure_package_config_file(scripts/cmake/zoid-config.cmake.in zoid-config.cmake
    INSTALL_DESTINATION ${package})
write_basic_package_version_file(zoid-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/zoid-config.cmake
    ${PROJECT_BINARY_DIR}/zoid-config-version.cmake
    scripts/cmake/ZoidOperators.cmake scripts/cmake/ZoidText.cmake DESTINATION ${package})
# The package of this build, for its own zoid-compile.
export(EXPORT zoid-targets NAMESPACE zoid:: FILE ${PROJECT_BINARY_DIR}/package/zoid-targets.cmake)
file(CONFIGURE OUTPUT package/zoid-config.cmake CONTENT "set(zoid_CUDA @ZOID_HAVE_CUDA@)
set(zoid_VERSION @PROJECT_VERSION@)
include(\"@PROJECT_BINARY_DIR@/package/zoid-targets.cmake\")
include(\"@PROJECT_SOURCE_DIR@/scripts/cmake/ZoidOperators.cmake\")
" @ONLY)
# What zoid_add_operators compiles.
foreach(source ${zoid_row_sources} ${zoid_row_kernels})
    cmake_path(GET source PARENT_PATH folder)
    install(FILES codelets/${source} DESTINATION ${package}/codelets/${folder})
endforeach()
install(DIRECTORY codelets/ DESTINATION ${package}/codelets
    FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh"
    PATTERN band EXCLUDE PATTERN wavefront EXCLUDE REGEX "/codelets/[^/]*[.]h$" EXCLUDE)
foreach(file call.c call.h touched.c touched.h)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS apps/compile/call/${file})
    file(READ apps/compile/call/${file} text)
    string(REPLACE "#include \"runtime/" "#include \"" text "${text}")
    file(CONFIGURE OUTPUT package/apps/compile/call/${file} CONTENT "${text}" @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/package/apps/compile/call/${file}
        DESTINATION ${package}/apps/compile/call)
endforeach()

file(RELATIVE_PATH zoid_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" zoid_pc_prefix ${zoid_pc_prefix})
configure_file(scripts/cmake/zoid.pc.in zoid.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/zoid.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The man pages are what --help says; `cmake --build build --target man` makes them. To install all
# but them: `cmake --install build --component Unspecified`, and `--component starpu`.
find_program(HELP2MAN help2man)
if(HELP2MAN AND zoid_apps AND NOT CMAKE_CROSSCOMPILING)
    foreach(app IN LISTS zoid_apps)
        set(page ${PROJECT_BINARY_DIR}/man/${app}.1)
        add_custom_command(OUTPUT ${page}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
            COMMAND ${CMAKE_COMMAND} -E env ARGP_HELP_FMT=header-col=0 ${HELP2MAN} --no-info
                --manual=Zoid --name=${PROJECT_DESCRIPTION} --version-string=${PROJECT_VERSION}
                --output=${page} $<TARGET_FILE:${app}>
            DEPENDS ${app} VERBATIM)
        list(APPEND pages ${page})
    endforeach()
    add_custom_target(man DEPENDS ${pages})
    install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\"
        --target man COMMAND_ERROR_IS_FATAL ANY)" COMPONENT man)
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT man)
endif()
