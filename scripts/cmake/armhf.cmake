# SPDX-License-Identifier: Apache-2.0
# Toolchain file: the processors of a Zynq-7000 (Cortex-A9, hard floating point).
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(CMAKE_LIBRARY_ARCHITECTURE arm-linux-gnueabihf)
set(processor_flags "-march=armv7-a -mcpu=cortex-a9 -mfpu=neon")
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld")
