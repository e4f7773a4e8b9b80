// SPDX-License-Identifier: Apache-2.0
#include "tests/support/board/xrt_shim.h"

#include <xclbin.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "tests/support/board/xrt_interfaces.h"

namespace vta::support {
namespace {

constexpr size_t kPage = 4096;

[[noreturn]] void unexpected(const char* what) {
  throw std::runtime_error(std::string("the shim has no ") + what);
}

// The state of the board, shared by all handles.
struct Hardware {
  hw::RegisterBus* registers = nullptr;
  BusMemory memory;
  struct Buffer {
    size_t offset;               // in the board's memory
    std::vector<uint8_t> cache;  // the processor's copy
    unsigned flags;
  };
  std::map<unsigned, Buffer> buffers;
  unsigned next_buffer = 1;
  size_t next_offset = 0;
  int contexts = 0;
};

Hardware& hardware() {
  static Hardware instance;
  return instance;
}

Hardware::Buffer& buffer_of(xclBufferHandle handle) { return hardware().buffers.at(handle); }

class ShimDevice : public xrt_core::device {
 public:
  ShimDevice(void* handle, unsigned id) : device(id), handle_(handle) {}

  void* get_device_handle() const override { return handle_; }
  const xrt_core::query::request& lookup_query(int key) const override {
    throw xrt_core::query::no_such_key(key);
  }

  void close_device() override {}
  void open_context(const xuid_t, unsigned, bool) override { ++hardware().contexts; }
  void close_context(const xuid_t, unsigned) override { --hardware().contexts; }
  void load_axlf(const axlf* xclbin) override { register_axlf(xclbin); }

  // Memory is never reused: tests are short.
  xclBufferHandle alloc_bo(size_t size, unsigned flags) override {
    Hardware& board = hardware();
    const size_t taken = (size + kPage - 1) / kPage * kPage;
    if (taken > board.memory.bytes.size() - board.next_offset) throw std::bad_alloc();
    const unsigned handle = board.next_buffer++;
    board.buffers[handle] = {board.next_offset, std::vector<uint8_t>(size, 0xA5), flags};
    board.next_offset += taken;
    return handle;
  }
  xclBufferHandle alloc_bo(void*, size_t, unsigned) override { unexpected("buffers of users"); }
  void free_bo(xclBufferHandle buffer) override { hardware().buffers.erase(buffer); }
  void sync_bo(xclBufferHandle handle, xclBOSyncDirection direction, size_t size,
               size_t offset) override {
    Hardware::Buffer& buffer = buffer_of(handle);
    uint8_t* const view = &buffer.cache.at(offset + size - 1) - (size - 1);
    uint8_t* const memory = hardware().memory.bytes.data() + buffer.offset + offset;
    direction == XCL_BO_SYNC_BO_TO_DEVICE ? std::memcpy(memory, view, size)
                                          : std::memcpy(view, memory, size);
  }
  void* map_bo(xclBufferHandle buffer, bool) override { return buffer_of(buffer).cache.data(); }
  void unmap_bo(xclBufferHandle, void*) override {}
  void get_bo_properties(xclBufferHandle handle, xclBOProperties* properties) const override {
    const Hardware::Buffer& buffer = buffer_of(handle);
    *properties = {handle, buffer.flags, buffer.cache.size(),
                   hardware().memory.base + buffer.offset, 0};
  }

  void reg_read(uint32_t, uint32_t offset, uint32_t* value) const override {
    *value = hardware().registers->read(offset);
  }
  void reg_write(uint32_t, uint32_t offset, uint32_t value) override {
    hardware().registers->write(offset, value);
  }

  int export_bo(xclBufferHandle) const override { unexpected("export"); }
  xclBufferHandle import_bo(int) override { unexpected("import"); }
  void close_export_handle(int) override { unexpected("export"); }
  xclBufferHandle import_bo(pid_t, int) override { unexpected("import"); }
  void copy_bo(xclBufferHandle, xclBufferHandle, size_t, size_t, size_t) override {
    unexpected("copies");
  }
  void xread(xclAddressSpace, uint64_t, void*, size_t) const override { unexpected("xread"); }
  void xwrite(xclAddressSpace, uint64_t, const void*, size_t) override { unexpected("xwrite"); }
  ssize_t unmgd_pread(void*, size_t, uint64_t) override { unexpected("unmanaged reads"); }
  ssize_t unmgd_pwrite(const void*, size_t, uint64_t) override { unexpected("unmanaged writes"); }
  void exec_buf(xclBufferHandle) override { unexpected("command queue"); }
  int exec_wait(int) const override { unexpected("command queue"); }
  void reclock(const uint16_t*) override { unexpected("clocks"); }
  void p2p_enable(bool) override { unexpected("p2p"); }
  void p2p_disable(bool) override { unexpected("p2p"); }
  void set_cma(bool, uint64_t) override { unexpected("huge pages"); }
  void update_scheduler_status() override { unexpected("scheduler"); }
  void user_reset(xclResetKind) override { unexpected("reset"); }
  void* open_ip_interrupt_notify(unsigned) override { unexpected("interrupts"); }
  void close_ip_interrupt_notify(void*) override { unexpected("interrupts"); }
  void enable_ip_interrupt(void*) override { unexpected("interrupts"); }
  void disable_ip_interrupt(void*) override { unexpected("interrupts"); }
  void wait_ip_interrupt(void*) override { unexpected("interrupts"); }
  std::cv_status wait_ip_interrupt(void*, int32_t) override { unexpected("interrupts"); }
#define VTA_SLOT(number) \
  void ai_engine_##number() override { unexpected("AI engine"); }
  VTA_SLOTS(VTA_SLOT)
#undef VTA_SLOT

 private:
  void* handle_;
};

class ShimSystem : public xrt_core::system {
 public:
  std::pair<unsigned, unsigned> get_total_devices(bool) const override { return {1, 1}; }
  std::shared_ptr<xrt_core::device> get_userpf_device(unsigned id) const override {
    if (id != 0) throw std::runtime_error("no device with index " + std::to_string(id));
    // Uses coreutil, which finds open devices by their handle.
    static const std::shared_ptr<xrt_core::device> kept =
        xrt_core::get_userpf_device(&hardware(), 0);
    return kept;
  }
  std::shared_ptr<xrt_core::device> get_userpf_device(void* handle, unsigned id) const override {
    return std::make_shared<ShimDevice>(handle, id);
  }
  std::shared_ptr<xrt_core::device> get_mgmtpf_device(unsigned) const override { return nullptr; }
};

}  // namespace

void install_xrt_shim(hw::RegisterBus& registers, BusMemory memory) {
  hardware().registers = &registers;
  hardware().memory = memory;
  static ShimSystem system;
}

int xrt_shim_buffers() { return static_cast<int>(hardware().buffers.size()); }
int xrt_shim_contexts() { return hardware().contexts; }

}  // namespace vta::support
