# SPDX-License-Identifier: Apache-2.0
# The decoder of libwebp: WebP::webp. Debian 12's package has no CMake files.
find_path(WebP_INCLUDE_DIR webp/decode.h)
find_library(WebP_LIBRARY webp)
find_library(WebP_SHARPYUV_LIBRARY sharpyuv)  # of newer releases than Debian 12's; only static libraries need it

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebP REQUIRED_VARS WebP_LIBRARY WebP_INCLUDE_DIR)

if(WebP_FOUND AND NOT TARGET WebP::webp)
  add_library(WebP::webp UNKNOWN IMPORTED)
  set_target_properties(WebP::webp PROPERTIES IMPORTED_LOCATION "${WebP_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${WebP_INCLUDE_DIR}")
  if(WebP_SHARPYUV_LIBRARY)
    set_target_properties(WebP::webp PROPERTIES INTERFACE_LINK_LIBRARIES "${WebP_SHARPYUV_LIBRARY}")
  endif()
endif()
