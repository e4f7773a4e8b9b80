# SPDX-License-Identifier: Apache-2.0
# Toolchain file: 64-bit ARM, scheduled for the processors of a Zynq UltraScale+ (Cortex-A53).
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(processor_flags "-march=armv8-a -mtune=cortex-a53")
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld")
