// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/run_tool.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/errors/error.h"
#include "base/files/file.h"

namespace vta::kernels {

void run_tool(const std::string& command, const std::string& log) {
  const std::string line =
      fmt::format("LD_PRELOAD='{}' {} > '{}' 2>&1", VTA_JEMALLOC, command, log);
  if (std::system(line.c_str()) != 0) fail(ErrorCode::kInvalidArgument, "{}", read_text_file(log));
}

}  // namespace vta::kernels
