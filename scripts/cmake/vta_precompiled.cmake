# SPDX-License-Identifier: Apache-2.0
# The headers of the standard library, fmt, nlohmann_json and GoogleTest, parsed once per build: without that they take
# half the time of a cold build. Every file still includes what it uses.
set(vta_precompiled_headers <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional> <string> <variant> <vector>
  <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)

# A precompiled header needs a target with a source, compiled with the flags of its users.
function(vta_add_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;OPTIONS;DEPS" ${ARGN})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE fmt::fmt nlohmann_json::nlohmann_json ${arg_DEPS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Header dates are ignored: a package that is installed again has the same headers with other dates, and the compiler
    # cache needs the same bytes for the same header.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  target_precompile_headers(${name} PRIVATE ${vta_precompiled_headers} ${arg_HEADERS})
endfunction()

# vta_use_precompiled(TARGET PRECOMPILED)    for a target compiled with the same flags
function(vta_use_precompiled target precompiled)
  if(TARGET ${precompiled})
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
    # The flags of the precompiled header must be on each command line.
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  endif()
endfunction()
