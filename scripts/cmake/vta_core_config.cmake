# SPDX-License-Identifier: Apache-2.0
# vta_core_config(core)
# The fields of configs/cores/<core>.json as variables of the caller: batch, block_in, ...; and as VTA_CORE_FIELDS, C++ that
# sets them in a CoreConfig `own`. CMake runs again when the file changes. What follows from them is in configs/core_config.h.
function(vta_core_config core)
  set(file ${CMAKE_SOURCE_DIR}/configs/cores/${core}.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} json)
  set(fields "")
  foreach(field batch block_in block_out uop_buffer_bytes inp_buffer_bytes wgt_buffer_bytes acc_buffer_bytes
      command_queue_depth token_queue_depth)
    string(JSON value GET "${json}" ${field})
    set(${field} ${value} PARENT_SCOPE)
    string(APPEND fields "  own.${field} = ${value};\n")
  endforeach()
  set(VTA_CORE_FIELDS "${fields}" PARENT_SCOPE)
endfunction()
