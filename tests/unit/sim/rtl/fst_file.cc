// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/sim/rtl/fst_file.h"

#include <gtkwave/fstapi.h>

#include <iterator>
#include <memory>
#include <stdexcept>
#include <vector>

namespace vta::sim {
namespace {

struct CloseReader {
  void operator()(void* reader) const { fstReaderClose(reader); }
};

// Several names may share a handle.
std::multimap<fstHandle, std::string> read_names(void* reader) {
  std::multimap<fstHandle, std::string> names;
  std::vector<std::string> scopes;
  while (const fstHier* entry = fstReaderIterateHier(reader)) {
    if (entry->htyp == FST_HT_SCOPE) {
      const std::string outer = scopes.empty() ? "" : scopes.back();
      scopes.push_back(outer + entry->u.scope.name + ".");
    } else if (entry->htyp == FST_HT_UPSCOPE) {
      scopes.pop_back();
    } else if (entry->htyp == FST_HT_VAR) {
      const std::string name = entry->u.var.name;  // with its range, "wdata [63:0]"
      names.emplace(entry->u.var.handle, scopes.back() + name.substr(0, name.find(' ')));
    }
  }
  return names;
}

struct Collector {
  FstFile& file;
  std::multimap<fstHandle, std::string> names;
};

void collect(void* user, uint64_t time, fstHandle handle, const unsigned char* value) {
  auto& [file, names] = *static_cast<Collector*>(user);
  file.times.insert(time);
  const auto [begin, end] = names.equal_range(handle);
  for (auto name = begin; name != end; ++name)
    file.signals[name->second][time] = reinterpret_cast<const char*>(value);
}

}  // namespace

FstFile::FstFile(const std::string& path) {
  const std::unique_ptr<void, CloseReader> reader(fstReaderOpen(path.c_str()));
  if (reader == nullptr) throw std::runtime_error(path + ": not an FST file");
  first_time = fstReaderGetStartTime(reader.get());
  last_time = fstReaderGetEndTime(reader.get());
  Collector collector{*this, read_names(reader.get())};
  fstReaderSetFacProcessMaskAll(reader.get());
  fstReaderIterBlocks(reader.get(), collect, &collector, nullptr);
}

std::string FstFile::value(const std::string& signal, uint64_t time) const {
  const auto& changes = signals.at(signal);
  const auto next = changes.upper_bound(time);
  if (next == changes.begin()) throw std::runtime_error(signal + " has no value yet");
  return std::prev(next)->second;
}

}  // namespace vta::sim
