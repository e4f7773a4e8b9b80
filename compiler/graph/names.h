// SPDX-License-Identifier: Apache-2.0
//
// Names of a graph and its nodes: letters, digits and "_./:-".
#ifndef VTA_COMPILER_GRAPH_NAMES_H_
#define VTA_COMPILER_GRAPH_NAMES_H_

#include <string>

namespace vta::graph {

bool is_name_letter(char c);

// `wanted` with '_' in place of other characters, cut to 100 characters so that a number can be
// appended; `fallback` if that is empty.
std::string legal_name(const std::string& wanted, const char* fallback);

}  // namespace vta::graph

#endif  // VTA_COMPILER_GRAPH_NAMES_H_
