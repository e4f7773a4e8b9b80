// SPDX-License-Identifier: Apache-2.0
#include "driver/uio/uio_node.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "driver/linux/attribute.h"

namespace vta::driver {
namespace {

std::filesystem::path folder_of(const SystemRoots& roots) { return roots.sys / "class/uio"; }

UioNode read_node(const SystemRoots& roots, const std::string& node) {
  UioNode found{node, "", {}};
  const std::filesystem::path folder = folder_of(roots) / node;
  found.name = read_attribute(folder / "name");
  for (const std::string& map : names_in(folder / "maps")) {
    found.maps.push_back({read_number_attribute(folder / "maps" / map / "addr"),
                          read_number_attribute(folder / "maps" / map / "size")});
  }
  return found;
}

// Enables the next interrupt by writing 1: the kernel disables the interrupt each time.
bool enable(const FileDescriptor& file) {
  const uint32_t one = 1;
  return ::write(file.get(), &one, sizeof(one)) == sizeof(one);
}

class UioInterrupt : public InterruptLine {
 public:
  explicit UioInterrupt(FileDescriptor file) : file_(std::move(file)) {}

  // If it fails, wait() returns after its timeout: slow but correct.
  void arm() override { enable(file_); }

  void wait(std::chrono::milliseconds longest) override {
    pollfd waits{file_.get(), POLLIN, 0};
    if (::poll(&waits, 1, static_cast<int>(longest.count())) <= 0) return;
    uint32_t count = 0;  // interrupts so far; the next read blocks until the next one
    if (::read(file_.get(), &count, sizeof(count)) == sizeof(count)) enable(file_);
  }

 private:
  FileDescriptor file_;
};

}  // namespace

std::vector<UioNode> uio_nodes(const SystemRoots& roots) {
  std::vector<UioNode> nodes;
  for (const std::string& node : names_in(folder_of(roots))) {
    nodes.push_back(read_node(roots, node));
  }
  return nodes;
}

std::optional<UioNode> find_uio_node(const SystemRoots& roots, const std::string& name) {
  const std::vector<UioNode> nodes = uio_nodes(roots);
  const std::string node = std::filesystem::path(name).filename().string();
  auto found = std::ranges::find(nodes, name, &UioNode::name);
  if (found == nodes.end()) found = std::ranges::find(nodes, node, &UioNode::node);
  return found == nodes.end() ? std::nullopt : std::optional(*found);
}

FileDescriptor open_uio_node(const SystemRoots& roots, const UioNode& node, bool exclusively) {
  const std::filesystem::path path = roots.dev / node.node;
  FileDescriptor file = open_file(path, O_RDWR | O_SYNC);
  if (exclusively) lock_file(file, path);
  return file;
}

Mapping map_uio(const FileDescriptor& file, const UioNode& node, size_t map) {
  // The map's number is the offset in pages.
  return Mapping(file, map * page_bytes(), node.maps.at(map).size_bytes, node.node);
}

std::unique_ptr<InterruptLine> uio_interrupt(const FileDescriptor& file) {
  struct stat status{};
  if (::fstat(file.get(), &status) != 0 || !S_ISCHR(status.st_mode)) return nullptr;
  // A device without an interrupt rejects the write.
  if (!enable(file)) return nullptr;
  return make_uio_interrupt(duplicate(file));
}

std::unique_ptr<InterruptLine> make_uio_interrupt(FileDescriptor file) {
  return std::make_unique<UioInterrupt>(std::move(file));
}

}  // namespace vta::driver
