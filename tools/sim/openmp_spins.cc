// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/openmp_spins.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace vta::sim {
namespace {

// 0.2 to 0.5 ms, a tenth of a time slice. Measured with ResNet-18 and two threads: with 3,000 a
// thread sometimes sleeps so early that Linux keeps both on one processor, with 30,000 the times
// on a busy machine begin to grow.
constexpr const char* kSpins = "10000";
constexpr const char* kVariable = "GOMP_SPINCOUNT";
constexpr const char* kMark = "VTA_LIMITS_OPENMP_SPINS";  // set by this process before it restarts

// The words of the command line; empty without /proc.
std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> all;
  for (std::string word; std::getline(file, word, '\0');) all.push_back(word);
  return all;
}

}  // namespace

void limit_openmp_spins() {
  if (std::getenv(kMark) != nullptr) {
    ::unsetenv(kMark);
    ::unsetenv(kVariable);
    return;
  }
  if (std::getenv(kVariable) != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::vector<std::string> words = arguments();
  if (words.empty()) return;
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv(kVariable, kSpins, 1);
  ::setenv(kMark, "1", 1);
  ::execv("/proc/self/exe", pointers.data());
  ::unsetenv(kMark);
  ::unsetenv(kVariable);
}

unsigned available_processors() {
  cpu_set_t processors;
  if (::sched_getaffinity(0, sizeof(processors), &processors) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&processors)));
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace vta::sim
