// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_TENSOR_PLACE_H_
#define VTA_RUNTIME_TENSOR_PLACE_H_

#include <cstdint>
#include <optional>
#include <string>

namespace vta {

// Where an operator runs.
enum class Place : uint8_t { kHost, kCore };

const char* to_string(Place place);  // "host", "core"
// nullopt for another text.
std::optional<Place> place_from_string(const std::string& text);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_PLACE_H_
