// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/tool/kernel_sources.h"

#include <vector>

#include "base/errors/error.h"
#include "base/files/installation.h"

namespace vta::hlsc {

namespace fs = std::filesystem;

fs::path kernel_sources() {
  std::vector<fs::path> places;
  if (const auto prefix = installation_prefix()) places.push_back(*prefix / "share/vta/hls");
  places.emplace_back(VTA_KERNEL_SOURCES);
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place / "hw/hls/stream.h")) return place;
  }
  fail(ErrorCode::kNotFound, "the headers of kernels are missing: there is no {}",
       (places[0] / "hw/hls/stream.h").string());
}

}  // namespace vta::hlsc
