// SPDX-License-Identifier: Apache-2.0
#include "driver/xrt/xrt_device.h"

#include <utility>

#include "base/numbers/parse_number.h"
#include "configs/board_config.h"
#include "driver/flash/xclbin.h"
#include "driver/linux/first_access.h"
#include "driver/register_device.h"
#include "driver/xrt/load_plugin.h"

namespace vta::driver {
namespace {

[[noreturn]] void fail_with(const std::string& what, const VtaXrtError& error) {
  fail(ErrorCode::kDevice, "XRT cannot {}: {}", what, error.text);
}

// XRT's device with the core's compute unit; shared by registers, allocator and buffers.
class Unit {
 public:
  Unit(unsigned index, const BoardConfig& board) : api_(load_xrt_plugin()) {
    const std::vector<uint8_t> xclbin = make_xclbin(board);
    const std::string name = fmt::format("{}:{{{}}}", kXclbinKernel, kXclbinInstance);
    VtaXrtError error{};
    handle_ = api_.open(index, xclbin.data(), name.c_str(), &error);
    if (handle_ == nullptr) fail_with(fmt::format("open device {}", index), error);
  }
  ~Unit() { api_.close(handle_); }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  const VtaXrtApi& api() const { return api_; }
  void* handle() const { return handle_; }

 private:
  const VtaXrtApi& api_;
  void* handle_;
};

class XrtRegisters : public hw::RegisterBus {
 public:
  explicit XrtRegisters(std::shared_ptr<Unit> unit) : unit_(std::move(unit)) {}

  uint32_t read(uint32_t offset) override {
    VtaXrtError error{};
    uint32_t value = 0;
    if (unit_->api().read(unit_->handle(), offset, &value, &error) == 0) {
      fail_with(fmt::format("read register {:#x}", offset), error);
    }
    return value;
  }
  void write(uint32_t offset, uint32_t value) override {
    VtaXrtError error{};
    if (unit_->api().write(unit_->handle(), offset, value, &error) == 0) {
      fail_with(fmt::format("write register {:#x}", offset), error);
    }
  }

 private:
  std::shared_ptr<Unit> unit_;
};

class XrtBuffer : public Buffer {
 public:
  XrtBuffer(std::shared_ptr<Unit> unit, const VtaXrtBuffer& buffer)
      : unit_(std::move(unit)), buffer_(buffer) {}
  ~XrtBuffer() override { unit_->api().release(buffer_.handle); }
  XrtBuffer(const XrtBuffer&) = delete;
  XrtBuffer& operator=(const XrtBuffer&) = delete;

  uint8_t* host() override { return buffer_.host; }
  uint64_t bus_address() const override { return buffer_.bus_address; }
  uint64_t size_bytes() const override { return buffer_.size_bytes; }
  void sync_to_core(uint64_t offset, uint64_t size) override { sync(1, offset, size); }
  void sync_from_core(uint64_t offset, uint64_t size) override { sync(0, offset, size); }

 private:
  void sync(int to_core, uint64_t offset, uint64_t size) {
    VtaXrtError error{};
    if (unit_->api().sync(buffer_.handle, to_core, offset, size, &error) == 0) {
      fail_with("sync a buffer", error);
    }
  }

  std::shared_ptr<Unit> unit_;
  VtaXrtBuffer buffer_;
};

class XrtBuffers : public BufferAllocator {
 public:
  XrtBuffers(std::shared_ptr<Unit> unit, const BoardConfig& board)
      : unit_(std::move(unit)), board_(board) {}

  std::string describe() const override { return "XRT buffers of " + board_.name; }

  std::unique_ptr<Buffer> allocate(uint64_t size_bytes) override {
    if (size_bytes > board_.arena_limit_bytes) {
      fail(ErrorCode::kOutOfMemory,
           "allocate: {} bytes requested, {} allows at most {} contiguous bytes", size_bytes,
           board_.name, board_.arena_limit_bytes);
    }
    VtaXrtError error{};
    VtaXrtBuffer buffer{};
    if (unit_->api().allocate(unit_->handle(), size_bytes, &buffer, &error) == 0) {
      fail(ErrorCode::kOutOfMemory, "allocate: {} bytes requested, XRT cannot provide them: {}",
           size_bytes, error.text);
    }
    return std::make_unique<XrtBuffer>(unit_, buffer);
  }

 private:
  std::shared_ptr<Unit> unit_;
  const BoardConfig board_;
};

struct Options {
  unsigned index = 0;
  std::string board = "pynq-z1";
};

Options read_options(const std::string& uri) {
  const std::string rest = uri.substr(std::min(uri.size(), uri.find(':') + 1));
  const size_t comma = rest.find(',');
  const std::string number = rest.substr(0, comma);
  const std::string option = comma == std::string::npos ? "" : rest.substr(comma + 1);
  const std::string key = "board=";
  Options options;
  const auto index = parse_number<decltype(options.index)>(number);
  if (!index || (comma != std::string::npos && !option.starts_with(key))) {
    fail(ErrorCode::kInvalidArgument, "device '{}': expected xrt:INDEX[,board=NAME]", uri);
  }
  options.index = *index;
  if (!option.empty()) options.board = option.substr(key.size());
  return options;
}

}  // namespace

std::unique_ptr<Device> open_xrt_device(const std::string& uri, const CoreConfig& core) {
  const Options options = read_options(uri);
  const BoardConfig board = load_board_config(options.board);
  check_core_at(board.registers_base, uri);  // XRT's own reads have no guard
  const auto unit = std::make_shared<Unit>(options.index, board);
  CoreAccess access;
  access.registers = std::make_unique<XrtRegisters>(unit);
  access.buffers = std::make_unique<XrtBuffers>(unit, board);
  return make_register_device(uri, core, std::move(access));
}

void register_xrt_device() {
  register_device("xrt", {"xrt:INDEX", "a board's core, by XRT"}, open_xrt_device);
}

}  // namespace vta::driver
