// SPDX-License-Identifier: Apache-2.0
//
// upload_benchmark URI [MEGABYTES]: prints the fastest of ten uploads to a server, in seconds.
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/limits/stopwatch.h"
#include "runtime/rpc/rpc_device.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: upload_benchmark URI [MEGABYTES]\n");
    return 2;
  }
  const size_t megabytes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20;
  const std::vector<uint8_t> bytes(megabytes * 1'000'000, 7);
  try {
    const auto device = vta::rpc::open_rpc_device(argv[1], {});
    const vta::driver::DeviceAddress address = device->allocate(bytes.size());
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 10; ++i) {
      const vta::Stopwatch stopwatch;
      device->copy_in(address, bytes);
      best = std::min(best, stopwatch.seconds());
    }
    std::printf("%.6f\n", best);
  } catch (const vta::Error& error) {
    std::fprintf(stderr, "upload_benchmark: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
