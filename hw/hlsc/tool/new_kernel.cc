// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/tool/new_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "hw/hlsc/tool/kernel_sources.h"

namespace vta::hlsc {
namespace {

namespace fs = std::filesystem;

// hw/hlsc/examples: a kernel and its Makefile, which stand on their own there.
constexpr std::string_view kName = "average", kClass = "Average", kSources = "../../..";

struct Replacement {
  std::string_view part;
  std::string by;
};

// In one pass, since a replacement may contain a part.
std::string replaced(const std::string& text, const std::vector<Replacement>& replacements) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const auto found = std::ranges::find_if(replacements, [&](const Replacement& one) {
      return std::string_view(text).substr(at).starts_with(one.part);
    });
    const bool is_found = found != replacements.end();
    result += is_found ? found->by : text.substr(at, 1);
    at += is_found ? found->part.size() : 1;
  }
  return result;
}

// fir_filter -> FirFilter
std::string class_name(const std::string& name) {
  std::string result;
  bool starts = true;
  for (const char c : name) {
    if (c != '_') result += starts ? static_cast<char>(std::toupper(c)) : c;
    starts = c == '_';
  }
  return result;
}

void check_name(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::ranges::all_of(name, is_part))
    fail(ErrorCode::kInvalidArgument,
         "'{}': expected the name of a kernel: letters, digits and _, a letter first", name);
  if (fs::exists(name)) fail(ErrorCode::kInvalidArgument, "{} exists already", name);
}

}  // namespace

void make_new_kernel(const std::string& name) {
  check_name(name);
  const fs::path sources = fs::absolute(kernel_sources()), example = sources / "hw/hlsc/examples";
  const std::vector<Replacement> replacements = {
      {kName, name}, {kClass, class_name(name)}, {kSources, sources.string()}};
  const std::string kernel = replaced(read_text_file(example / "average.cc"), replacements);
  const std::string makefile = replaced(read_text_file(example / "Makefile"), replacements);
  const fs::path part = name + ".part";  // the folder is complete, or not there
  std::error_code error;
  fs::create_directory(part, error);
  if (error) fail(ErrorCode::kIo, "{}: {}", part.string(), error.message());
  write_file(part / (name + ".cc"), kernel);
  write_file(part / "Makefile", makefile);
  fs::rename(part, name, error);
  if (error) fail(ErrorCode::kIo, "{}: {}", name, error.message());
}

}  // namespace vta::hlsc
