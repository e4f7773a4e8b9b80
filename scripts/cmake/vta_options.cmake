# SPDX-License-Identifier: Apache-2.0
# Build options and the flags that every target gets.
option(VTA_BUILD_TESTS "Build the tests" ON)
option(VTA_BUILD_BENCHMARKS "Build the benchmarks (target `benchmarks` runs them)" ON)
option(VTA_RTL "Verilate cores, for the devices rtl and lockstep; the tests need them" ON)
option(VTA_SANITIZE "Compile and link with the address and undefined-behaviour sanitizers" OFF)
option(VTA_BOARD "Build only what a board runs, statically linked (scripts/build_board)" OFF)
option(VTA_WHEEL "Build what a wheel has, for other distributions (scripts/build_wheel)" OFF)
set(VTA_HLSC "" CACHE FILEPATH "The vta-hlsc that compiles the cores; empty: that of this build")
set(VTA_ONNX_PROTO "" CACHE PATH "A folder with the protobuf classes of ONNX as sources; empty: the library of Debian")
option(VTA_NATIVE "Let the simulators and the integer host operators use this machine's instruction set" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wno-missing-field-initializers)
# A fused multiply-add rounds once where two instructions round twice: off, so that the same network gives
# the same fp32 bits on every machine.
add_compile_options(-ffp-contract=off)
# libvta is a shared library of the static ones. Its symbols are local, so that code for executables would link, too, but for
# accesses to thread-local variables, which Asio, std::call_once and Verilator have.
add_compile_options(-fPIC)
# Clang 19 warns of AVX10 on new processors, once per file.
set(vta_native_options -march=native -Wno-invalid-feature-combination)
if(VTA_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(VTA_CCACHE ccache)
if(VTA_CCACHE)
  # Without these, ccache does not cache files compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${VTA_CCACHE})
endif()
find_program(VTA_LLD NAMES ld.lld-19 ld.lld)
if(VTA_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()
