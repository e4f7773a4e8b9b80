# SPDX-License-Identifier: Apache-2.0
# fmt without its library: Debian has no static one, and the shared one of an older release does not fit newer headers.
add_library(fmt::fmt INTERFACE IMPORTED GLOBAL)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
