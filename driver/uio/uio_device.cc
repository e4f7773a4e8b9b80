// SPDX-License-Identifier: Apache-2.0
#include "driver/uio/uio_device.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "driver/linux/attribute.h"
#include "driver/linux/first_access.h"
#include "driver/register_device.h"
#include "driver/uio/bus_memory.h"
#include "driver/uio/uio_node.h"

namespace vta::driver {
namespace {

// Names of the core's UIO device that "uio:" looks for, in order: of our own device tree node, and
// of the node for the first page of GP0 in PYNQ's images. The bridge decodes 12 bits, so the core's
// registers are at every page of GP0.
constexpr const char* kCoreNames[] = {"vta", "fabric"};
// PYNQ's node at 0x43c00000, without an interrupt: another driver's, although the core's registers
// are at its address.
constexpr const char* kAudioCodec = "audio-codec-ctrl";

// In the order in which they are tried: those that somebody has set up for the core come first.
constexpr const char* kMemories[] = {"u-dma-buf", "carve-out", "zocl", "dma-heap"};

struct Options {
  std::string name;       // "": the first of kCoreNames
  std::string memory;     // "": the first available
  std::string u_dma_buf;  // "": the largest
  bool coherent = false;
  std::string root;  // "": the system's
};

void read_option(const std::string& uri, const std::string& text, Options& options) {
  const size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const bool is_memory = std::ranges::find(kMemories, value) != std::end(kMemories);
  if (key == "memory" && is_memory) {
    options.memory = value;
  } else if (key == "u-dma-buf" && !value.empty()) {
    options.u_dma_buf = value;
  } else if (text == "coherent") {
    options.coherent = true;
  } else if (key == "root" && !value.empty()) {
    options.root = value;
  } else {
    fail(ErrorCode::kInvalidArgument,
         "device '{}': expected option memory={}, u-dma-buf=NAME or coherent, got '{}'", uri,
         fmt::join(kMemories, "|"), text);
  }
}

Options read_options(const std::string& uri) {
  const size_t colon = uri.find(':');
  std::string rest = colon == std::string::npos ? "" : uri.substr(colon + 1);
  Options options;
  for (bool is_first = true; is_first || !rest.empty(); is_first = false) {
    const size_t comma = rest.find(',');
    const std::string part = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    is_first ? void(options.name = part) : read_option(uri, part, options);
  }
  return options;
}

// The URI of what was taken; opens the same again.
std::string uri_of(const Options& options) {
  std::string uri = fmt::format("uio:{},memory={}", options.name, options.memory);
  if (!options.u_dma_buf.empty()) uri += ",u-dma-buf=" + options.u_dma_buf;
  if (options.coherent) uri += ",coherent";
  return options.root.empty() ? uri : uri + ",root=" + options.root;
}

[[noreturn]] void fail_to_find(const SystemRoots& roots, const std::string& uri,
                               const std::string& names) {
  std::vector<std::string> known;
  for (const UioNode& node : uio_nodes(roots)) known.push_back(node.node + " (" + node.name + ")");
  fail(ErrorCode::kNotFound,
       "device '{}': no UIO device is called {}, found {}: is the board's device tree loaded, and "
       "is uio_pdrv_genirq.of_id=generic-uio among the kernel's arguments?",
       uri, names, known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
}

void check_node(const UioNode& node, const std::string& uri) {
  if (node.name == kAudioCodec) {
    fail(ErrorCode::kInvalidArgument,
         "device '{}': /dev/{} is PYNQ's {}, which has no interrupt of the core; use uio:fabric",
         uri, node.node, kAudioCodec);
  }
  if (node.maps.empty() || node.maps[0].size_bytes < hw::kRegisterPageBytes) {
    fail(ErrorCode::kDevice, "device '{}': /dev/{} has less than {} bytes of registers", uri,
         node.node, hw::kRegisterPageBytes);
  }
}

// Sets the name if the URI has none.
UioNode find_core(const SystemRoots& roots, const std::string& uri, Options& options) {
  const std::vector<std::string> names =
      options.name.empty() ? std::vector<std::string>(std::begin(kCoreNames), std::end(kCoreNames))
                           : std::vector{options.name};
  for (const std::string& name : names) {
    const std::optional<UioNode> node = find_uio_node(roots, name);
    if (!node.has_value()) continue;
    check_node(*node, uri);
    options.name = name;
    return *node;
  }
  fail_to_find(roots, uri, fmt::format("'{}'", fmt::join(names, "' or '")));
}

// Sets the memory if the URI names none.
std::unique_ptr<BufferAllocator> open_memory(const SystemRoots& roots, const UioNode& core,
                                             const std::string& uri, Options& options) {
  std::vector<std::string> reasons;
  for (const std::string memory : kMemories) {
    if (!options.memory.empty() && options.memory != memory) continue;
    std::string reason;
    std::unique_ptr<BufferAllocator> found;
    if (memory == "u-dma-buf") {
      found = open_u_dma_buf(roots, options.u_dma_buf, reason);
    } else if (memory == "carve-out") {
      found = open_carve_out(roots, core, reason);
    } else if (memory == "zocl") {
      found = open_zocl_memory(roots, reason);
    } else if (!options.coherent) {
      reason = "dma-heap only with ',coherent', because its caches are not synced";
    } else {
      found = open_dma_heap(roots, reason);
    }
    if (found != nullptr) {
      options.memory = memory;
      return found;
    }
    reasons.push_back(reason);
  }
  fail(ErrorCode::kDevice, "device '{}': no memory for buffers: {}", uri, fmt::join(reasons, "; "));
}

}  // namespace

std::unique_ptr<Device> open_uio_device(const std::string& uri, const CoreConfig& core,
                                        const SystemRoots& system) {
  Options options = read_options(uri);
  const SystemRoots roots = options.root.empty() ? system : SystemRoots::below(options.root);
  const UioNode node = find_core(roots, uri, options);
  FileDescriptor file = open_uio_node(roots, node, true);
  CoreAccess access;
  Mapping registers = map_uio(file, node, 0);
  const FileDescriptor events = duplicate(file);
  access.registers = open_core_registers(std::move(registers), std::move(file), roots, uri);
  access.interrupt = uio_interrupt(events);  // enables it, hence only for a core
  access.buffers = open_memory(roots, node, uri, options);
  return make_register_device(uri_of(options), core, std::move(access));
}

std::string uio_uri(const std::string& root) {
  if (root.find(',') != std::string::npos)
    fail(ErrorCode::kInvalidArgument, "root '{}': a device's URI cannot hold a name with a comma",
         root);
  return root.empty() ? "uio:" : "uio:,root=" + root;
}

uint64_t core_interrupts(const SystemRoots& roots) {
  Options options;
  const UioNode node = find_core(roots, "uio:", options);
  return read_number_attribute(roots.sys / "class/uio" / node.node / "event");
}

void register_uio_device() {
  register_device(
      "uio", {"uio:[NAME]", "a board's core, by Linux's UIO"},
      [](const std::string& uri, const CoreConfig& core) { return open_uio_device(uri, core); });
}

}  // namespace vta::driver
