# SPDX-License-Identifier: Apache-2.0
# XRT::coreutil. Debian's xrt.pc names folders that do not exist, and XRT has no CMake file.
find_path(XRT_INCLUDE_DIR xrt/xrt_device.h PATH_SUFFIXES xrt HINTS $ENV{XILINX_XRT}/include)
find_library(XRT_COREUTIL_LIBRARY xrt_coreutil HINTS $ENV{XILINX_XRT}/lib)
find_library(XRT_UUID_LIBRARY uuid)
find_path(XRT_UUID_INCLUDE_DIR uuid/uuid.h)
if(XRT_INCLUDE_DIR AND EXISTS ${XRT_INCLUDE_DIR}/version.h)
  file(STRINGS ${XRT_INCLUDE_DIR}/version.h version REGEX "xrt_build_version\\[\\]")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" XRT_VERSION "${version}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(XRT REQUIRED_VARS XRT_COREUTIL_LIBRARY XRT_INCLUDE_DIR XRT_UUID_LIBRARY XRT_UUID_INCLUDE_DIR
  VERSION_VAR XRT_VERSION)
if(XRT_FOUND AND NOT TARGET XRT::coreutil)
  add_library(XRT::coreutil UNKNOWN IMPORTED)
  set_target_properties(XRT::coreutil PROPERTIES IMPORTED_LOCATION ${XRT_COREUTIL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${XRT_INCLUDE_DIR};${XRT_UUID_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES ${XRT_UUID_LIBRARY})
endif()
