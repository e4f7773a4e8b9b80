// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/pragma_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace vta::hlsc::front {
namespace {

struct Advice {
  const char *pragma, *instead;
};

constexpr Advice kAdvice[] = {
    {"PIPELINE", "write HLS_PIPELINE(interval) as the first statement of the loop's body"},
    {"UNROLL", "write HLS_UNROLL before the loop, or HLS_UNROLL_BY(factor)"},
    {"INTERFACE", "declare HLS_STREAM, HLS_INPUT, HLS_READ_PORT or HLS_WRITE_PORT in the class"},
    {"DATAFLOW", "write an HLS_PROCESS for each stage; all of them run concurrently"},
    {"STREAM", "HLS_STREAM(type, name, depth) states the depth"},
    {"INLINE", "every call is inlined"},
};

// The rest of the line, such as "variable=a type=cyclic factor=4 dim=1", or "cyclic" alone.
std::string partition_advice(std::istringstream& parameters) {
  std::string kind, factor = "N";
  for (std::string word; parameters >> word;) {
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word.starts_with("type=")) word.erase(0, 5);
    if (word == "cyclic" || word == "block") kind = word;
    if (word.starts_with("factor=")) factor = word.substr(7);
  }
  if (kind == "cyclic") return fmt::format("HLS_INTERLEAVED_RAM(type, name, depth, {}, 1)", factor);
  if (kind == "block") return fmt::format("HLS_BANKED_RAM(type, name, depth, {})", factor);
  return "HLS_REGISTER(type, name[count]), or a local array: registers, of up to 64 entries also "
         "with a variable index";
}

std::string line_at(const std::string& place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos) return "";
  std::ifstream file(place.substr(0, colon));
  std::string line;
  for (long left = std::strtol(place.c_str() + colon + 1, nullptr, 10); left > 0; --left) {
    if (!std::getline(file, line)) return "";
  }
  return line;
}

}  // namespace

std::string pragma_advice(const std::string& place, const std::string& warning) {
  if (warning.find("[-Wunknown-pragmas]") == std::string::npos) return "";
  std::istringstream words(line_at(place));
  std::string hash, pragma, tool, name;
  words >> hash;
  if (hash == "#") words >> pragma;
  if (hash == "#pragma") pragma = "pragma";
  words >> tool >> name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  if (pragma != "pragma" || (tool != "HLS" && tool != "hls")) return "";
  const auto* found =
      std::ranges::find_if(kAdvice, [&](const Advice& it) { return name == it.pragma; });
  const std::string instead = name == "ARRAY_PARTITION"    ? partition_advice(words)
                              : found == std::end(kAdvice) ? "hw/hls/README.md has the macros"
                                                           : found->instead;
  return fmt::format("; {}: {}", name, instead);
}

}  // namespace vta::hlsc::front
