// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>
#include <string_view>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/numbers/parse_number.h"
#include "runtime/dataset/formats.h"

namespace vta::dataset {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClassesFile = "classes.txt";
constexpr std::string_view kSuffixes[] = {".jpg", ".jpeg", ".png", ".webp", ".bmp"};
constexpr int64_t kMaxClass = 1 << 20;

struct Entry {
  fs::path file;
  std::optional<int64_t> label;  // none: the image is in the folder itself
};

bool is_image(const fs::path& file) {
  std::string suffix = file.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(kSuffixes, suffix) != std::end(kSuffixes);
}

std::optional<int64_t> whole_number(const std::string& text) {
  const auto value = parse_number<int64_t>(text);
  return value && *value >= 0 && *value <= kMaxClass ? value : std::nullopt;
}

// "NUMBER FILE" on each line.
std::vector<Entry> listed_entries(const fs::path& folder) {
  std::istringstream text(read_text_file(folder / kClassesFile));
  std::vector<Entry> entries;
  int64_t line_number = 0;
  for (std::string line; std::getline(text, line);) {
    ++line_number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const size_t space = line.find(' ');
    const auto label = whole_number(line.substr(0, space));
    if (!label || space == std::string::npos || space + 1 == line.size()) {
      fail(ErrorCode::kCorrupt, "{}: line {}: expected a class number and a file, got '{}'",
           kClassesFile, line_number, line.substr(0, 60));
    }
    const fs::path file = folder / line.substr(space + 1);
    if (!fs::is_regular_file(file)) {
      fail(ErrorCode::kNotFound, "{}: line {}: no such file '{}'", kClassesFile, line_number,
           line.substr(space + 1, 200));
    }
    entries.push_back({file, *label});
  }
  return entries;
}

std::vector<Entry> folder_entries(const fs::path& root) {
  std::vector<Entry> entries;
  const auto folders = sorted_content(root, [](const fs::path& p) { return fs::is_directory(p); });
  const bool numbered = std::ranges::all_of(folders, [](const fs::path& folder) {
    return whole_number(folder.filename().string()).has_value();
  });
  for (size_t i = 0; i < folders.size(); ++i) {
    const int64_t label =
        numbered ? *whole_number(folders[i].filename().string()) : static_cast<int64_t>(i);
    for (const fs::path& file : sorted_content(folders[i], is_image)) {
      entries.push_back({file, label});
    }
  }
  if (!entries.empty()) return entries;
  for (const fs::path& file : sorted_content(root, is_image)) entries.push_back({file, {}});
  return entries;
}

}  // namespace

Dataset read_image_folder(const fs::path& path, const std::vector<DatasetInput>& inputs) {
  const InputMaker maker(inputs);
  maker.require_image_spec();
  if (!fs::is_directory(path)) fail(ErrorCode::kNotFound, "no such folder");
  const bool listed = fs::exists(path / kClassesFile);
  const auto entries = std::make_shared<const std::vector<Entry>>(listed ? listed_entries(path)
                                                                         : folder_entries(path));
  if (entries->empty()) {
    fail(ErrorCode::kInvalidArgument,
         "expected images, in subfolders per class, listed in '{}' or in the folder itself",
         kClassesFile);
  }
  Dataset dataset;
  dataset.num_images = static_cast<int64_t>(entries->size());
  for (const Entry& entry : *entries) {
    if (entry.label) dataset.labels.push_back(*entry.label);
  }
  dataset.inputs = only_input([entries, maker](int64_t index) {
    const fs::path& file = entries->at(index).file;
    const host::Image image = host::read_image(file);
    return with_context(file.string(), [&] { return maker(image); });
  });
  return dataset;
}

}  // namespace vta::dataset
