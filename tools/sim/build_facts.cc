// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/build_facts.h"

namespace vta::sim {
namespace {

// The instruction set of this file, which is compiled with the simulators' flags.
constexpr const char* instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__SSE2__)
  return "SSE2";
#elif defined(__ARM_NEON)
  return "NEON";
#else
  return "generic";
#endif
}

}  // namespace

std::vector<std::pair<std::string, std::string>> build_facts() {
  return {{"version", VTA_VERSION},
          {"compiler", VTA_COMPILER},
          {"build_type", VTA_BUILD_TYPE},
          {"instruction_set", instruction_set()}};
}

}  // namespace vta::sim
