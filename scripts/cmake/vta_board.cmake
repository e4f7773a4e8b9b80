# SPDX-License-Identifier: Apache-2.0
# The build of VTA_BOARD: the programs for boards only. All libraries are static, so that they run on any Linux image.
set(Boost_USE_STATIC_LIBS ON)
set(OPENSSL_USE_STATIC_LIBS ON)
set(ZLIB_USE_STATIC_LIBS ON)
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost REQUIRED COMPONENTS context)
find_package(OpenSSL REQUIRED)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(WebP REQUIRED)

include(vta_fmt_headers)

vta_add_precompiled(vta_precompiled)
foreach(folder base runtime/tensor configs hw/isa hw/hls hw/registers driver sim/functional runtime/program runtime/session runtime/host
    runtime/rpc tools/flash tools/rpc_server tools/c_api tools/run python)
  add_subdirectory(${folder})
endforeach()
