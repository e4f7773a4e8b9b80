# SPDX-License-Identifier: Apache-2.0
# Toolchain file: this machine's kind of processor with an older glibc, for wheels (scripts/build_wheel).
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake)

# The C++ library is newer than the one of the release: what that one lacks is linked from the static library.
set(CMAKE_CXX_STANDARD_LIBRARIES "-lstdc++ -l:libstdc++.a")
