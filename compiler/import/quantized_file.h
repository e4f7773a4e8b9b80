// SPDX-License-Identifier: Apache-2.0
//
// Quantized networks as files (.vtaq): the integer graph with its constants
// (compiler/graph/graph_file.h) and what belongs to the network besides. The format is described in
// compiler/import/README.md.
#ifndef VTA_COMPILER_IMPORT_QUANTIZED_FILE_H_
#define VTA_COMPILER_IMPORT_QUANTIZED_FILE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/import/network.h"

namespace vta::import {

// The bytes of a .vtaq file. `network.graph` is the integer graph; calibration and default_quantize
// are not stored. The same network gives the same bytes.
std::vector<uint8_t> to_quantized_file(const Network& network);

// The inverse; the graph is bit-exact. The caller sets `folder`.
// Errors: as parse_graph_file(); kCorrupt for inputs that are not float32; kInvalidArgument, naming
// the field of the network's description.
Network parse_quantized_file(std::span<const uint8_t> bytes);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_QUANTIZED_FILE_H_
