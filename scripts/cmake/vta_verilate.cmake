# SPDX-License-Identifier: Apache-2.0
find_program(VTA_VERILATOR NAMES verilator REQUIRED)
execute_process(COMMAND ${VTA_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VTA_VERILATOR_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE)

add_library(verilator_runtime STATIC ${VTA_VERILATOR_ROOT}/include/verilated.cpp ${VTA_VERILATOR_ROOT}/include/verilated_threads.cpp)
target_include_directories(verilator_runtime SYSTEM PUBLIC ${VTA_VERILATOR_ROOT}/include ${VTA_VERILATOR_ROOT}/include/vltstd)
target_compile_options(verilator_runtime PRIVATE -w)

# For models that write FST files.
add_library(verilator_fst STATIC EXCLUDE_FROM_ALL ${VTA_VERILATOR_ROOT}/include/verilated_fst_c.cpp)
target_link_libraries(verilator_fst PUBLIC verilator_runtime ZLIB::ZLIB)
target_compile_options(verilator_fst PRIVATE -w)

# vta_verilated(name [FST] TOP module [PREFIX class] SOURCES a.sv ... [DEPENDS target or file ...] [ARGUMENTS ...])
# A library with the class V<module>, or PREFIX, and Verilator's runtime. Sources may be made by the build.
#   FST  the model can write waveforms, and is slower
function(vta_verilated name)
  cmake_parse_arguments(V "FST" "TOP;PREFIX" "SOURCES;DEPENDS;ARGUMENTS" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}_verilated)
  if(NOT V_PREFIX)
    set(V_PREFIX V${V_TOP})
  endif()
  set(runtime verilator_runtime)
  if(V_FST)
    set(runtime verilator_fst)
    list(APPEND V_ARGUMENTS --trace-fst)
  endif()
  set(archive ${folder}/${V_PREFIX}__ALL.a)
  # Warnings that the emitted style causes on purpose; the linting of it is a test of its own.
  set(compiler ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER})
  list(JOIN compiler " " compiler)
  add_custom_command(OUTPUT ${archive} ${folder}/${V_PREFIX}.h
    COMMAND ${VTA_VERILATOR} --cc --build --Mdir ${folder} --prefix ${V_PREFIX} --top-module ${V_TOP}
      -O3 --x-assign fast --x-initial fast --output-split 20000 -Wno-fatal -Wno-lint -Wno-style
      -MAKEFLAGS "CXX='${compiler}'" -MAKEFLAGS "LINK='${compiler}'" -MAKEFLAGS "OPT_FAST=-O3" -MAKEFLAGS "OPT_SLOW=-O0"
      -MAKEFLAGS "OPT_GLOBAL=-O2" -CFLAGS -march=native ${V_ARGUMENTS} ${V_SOURCES}
    DEPENDS ${V_SOURCES} ${V_DEPENDS}
    COMMENT "Verilating ${V_TOP}" VERBATIM)
  add_custom_target(${name}_build DEPENDS ${archive})
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_build)
  target_include_directories(${name} SYSTEM INTERFACE ${folder})
  target_link_libraries(${name} INTERFACE ${archive} ${runtime})
endfunction()
