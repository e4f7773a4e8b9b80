// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/place.h"

namespace vta {

const char* to_string(Place place) { return place == Place::kCore ? "core" : "host"; }

std::optional<Place> place_from_string(const std::string& text) {
  for (const Place place : {Place::kHost, Place::kCore}) {
    if (text == to_string(place)) return place;
  }
  return std::nullopt;
}

}  // namespace vta
