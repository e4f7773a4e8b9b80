# SPDX-License-Identifier: Apache-2.0
# The compiled cores, and the fields of their files for CMake. Sizes that follow from the fields are computed by
# configs/core_sizes.h only.

# Every core of configs/cores is compiled for the functional simulator and has a cycle model. A file with the values of one
# of them runs on it, whatever its own name and whether it has the extension or not.
file(GLOB VTA_CORES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/cores/*.json)
list(TRANSFORM VTA_CORES REPLACE ".*/(.*)\\.json" "\\1")

# The cores that are also compiled to SystemVerilog and Verilated, for the devices `rtl` and `lockstep`: minutes of a cold
# build each, hence not all of them.
set(VTA_RTL_CORES)
if(VTA_RTL)
  set(VTA_RTL_CORES vta_1x16 tiny_1x8 tiny_1x8_folded)
endif()

# vta_core_config(core)
# Reads cores/<core>.json of the caller's folder or, failing that, of configs; CMake runs again when it changes. Sets, for the caller:
#   VTA_CORE_DEFINITIONS  a list -D CORE_<field>=<value>, for hw/core/instance.cc
#   VTA_CORE_MACROS       the same as lines of C++, before hw/core/options.h
#   VTA_CORE_FIELDS       lines of C++ that set the fields of a CoreConfig `own`
function(vta_core_config core)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/cores/${core}.json)
  if(NOT EXISTS ${file})
    set(file ${CMAKE_SOURCE_DIR}/configs/cores/${core}.json)
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} json)
  set(definitions)
  set(macros "")
  set(fields "")
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON field MEMBER "${json}" ${i})
    string(JSON value GET "${json}" ${field})
    if(field STREQUAL "name" OR field STREQUAL "extension")
      continue()
    endif()
    list(APPEND definitions -D CORE_${field}=${value})
    string(APPEND macros "#define CORE_${field} ${value}\n")
    string(APPEND fields "  own.${field} = ${value};\n")
  endforeach()
  set(VTA_CORE_DEFINITIONS ${definitions} PARENT_SCOPE)
  set(VTA_CORE_MACROS "${macros}" PARENT_SCOPE)
  set(VTA_CORE_FIELDS "${fields}" PARENT_SCOPE)
endfunction()
