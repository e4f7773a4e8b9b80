# SPDX-License-Identifier: Apache-2.0
# The Debian package (scripts/build_package): the installed tools and libvta, with man pages and completion for bash.
set(tools vta-sim vta-compile vta-hlsc vta-flash vta-rpc-server)
set(files)
foreach(tool ${tools})
  list(APPEND files $<TARGET_FILE:${tool}>)
endforeach()
add_custom_target(man_pages COMMAND ${CMAKE_SOURCE_DIR}/scripts/build_man_pages ${CMAKE_BINARY_DIR}/man ${files}
  DEPENDS ${tools} VERBATIM)
add_custom_target(packaged DEPENDS ${tools} vta_c man_pages)  # all that is installed
if(TARGET vta_xrt)
  add_dependencies(packaged vta_xrt)
endif()
install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT package EXCLUDE_FROM_ALL)
foreach(tool ${tools})  # bash looks for a file with the command's name
  install(FILES scripts/completion/vta DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${tool}
    COMPONENT package EXCLUDE_FROM_ALL)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT package EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vta)
set(CPACK_PACKAGE_VENDOR "The VTA toolkit's authors")
set(CPACK_PACKAGE_CONTACT "The VTA toolkit's authors <vta@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL Unspecified package)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
