// SPDX-License-Identifier: Apache-2.0
//
// The two interfaces of drivers that libxrt_coreutil 2.13 calls, declared from the order of their
// virtual functions, because XRT has no public header of them. Only for tests and this version;
// uncalled functions are named by their number.
#ifndef VTA_TESTS_SUPPORT_BOARD_XRT_INTERFACES_H_
#define VTA_TESTS_SUPPORT_BOARD_XRT_INTERFACES_H_

#include <sys/types.h>
#include <xrt.h>

#include <boost/property_tree/ptree_fwd.hpp>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

struct axlf;

namespace xrt_core {

namespace query {
class request;

// The exception of lookup_query() for an unknown key. XRT identifies its own class of this name by
// the name only.
class no_such_key : public std::exception {
 public:
  explicit no_such_key(int asked) : key(asked) {}
  const char* what() const noexcept override { return "no such key"; }
  int key;
};
}  // namespace query

class ishim {
 public:
  virtual void close_device() = 0;
  virtual void open_context(const xuid_t xclbin, unsigned unit, bool shared) = 0;
  virtual void close_context(const xuid_t xclbin, unsigned unit) = 0;
  virtual xclBufferHandle alloc_bo(size_t size, unsigned flags) = 0;
  virtual xclBufferHandle alloc_bo(void* user, size_t size, unsigned flags) = 0;
  virtual void free_bo(xclBufferHandle buffer) = 0;
  virtual int export_bo(xclBufferHandle buffer) const = 0;
  virtual xclBufferHandle import_bo(int handle) = 0;
  virtual void close_export_handle(int handle) = 0;
  virtual xclBufferHandle import_bo(pid_t process, int handle) = 0;
  virtual void copy_bo(xclBufferHandle to, xclBufferHandle from, size_t size, size_t to_offset,
                       size_t from_offset) = 0;
  virtual void sync_bo(xclBufferHandle buffer, xclBOSyncDirection direction, size_t size,
                       size_t offset) = 0;
  virtual void* map_bo(xclBufferHandle buffer, bool write) = 0;
  virtual void unmap_bo(xclBufferHandle buffer, void* address) = 0;
  virtual void get_bo_properties(xclBufferHandle buffer, xclBOProperties* properties) const = 0;
  virtual void reg_read(uint32_t unit, uint32_t offset, uint32_t* value) const = 0;
  virtual void reg_write(uint32_t unit, uint32_t offset, uint32_t value) = 0;
  virtual void xread(xclAddressSpace space, uint64_t offset, void* to, size_t size) const = 0;
  virtual void xwrite(xclAddressSpace space, uint64_t offset, const void* from, size_t size) = 0;
  virtual ssize_t unmgd_pread(void* to, size_t size, uint64_t offset) = 0;
  virtual ssize_t unmgd_pwrite(const void* from, size_t size, uint64_t offset) = 0;
  virtual void exec_buf(xclBufferHandle buffer) = 0;
  virtual int exec_wait(int timeout) const = 0;
  virtual void load_axlf(const axlf* xclbin) = 0;
  virtual void reclock(const uint16_t* frequencies) = 0;
  virtual void p2p_enable(bool force) = 0;
  virtual void p2p_disable(bool force) = 0;
  virtual void set_cma(bool enable, uint64_t size) = 0;
  virtual void update_scheduler_status() = 0;
  virtual void user_reset(xclResetKind kind) = 0;
  virtual void* open_ip_interrupt_notify(unsigned unit) = 0;
  virtual void close_ip_interrupt_notify(void* handle) = 0;
  virtual void enable_ip_interrupt(void* handle) = 0;
  virtual void disable_ip_interrupt(void* handle) = 0;
  virtual void wait_ip_interrupt(void* handle) = 0;
  virtual std::cv_status wait_ip_interrupt(void* handle, int32_t timeout) = 0;
#define VTA_SLOTS(slot)                                                                    \
  slot(0) slot(1) slot(2) slot(3) slot(4) slot(5) slot(6) slot(7) slot(8) slot(9) slot(10) \
      slot(11) slot(12) slot(13) slot(14) slot(15) slot(16) slot(17) slot(18) slot(19) slot(20)
#define VTA_LATER_SLOTS(slot) slot(0) slot(1) slot(2) slot(3) slot(4) slot(5)
#define VTA_SLOT(number) virtual void ai_engine_##number() = 0;
  VTA_SLOTS(VTA_SLOT)
#undef VTA_SLOT
};

class device : public ishim {
 public:
  explicit device(unsigned id);  // of coreutil, as are all functions without a body here
  virtual ~device();
  virtual void* get_device_handle() const = 0;
  virtual void* get_mgmt_handle() const;
  virtual void* get_user_handle() const;
  virtual bool is_userpf() const;
  virtual const query::request& lookup_query(int key) const = 0;
  virtual void get_info(boost::property_tree::ptree& tree) const;
#define VTA_SLOT(number) \
  virtual void later_##number() {}
  VTA_LATER_SLOTS(VTA_SLOT)
#undef VTA_SLOT

  void register_axlf(const axlf* xclbin);

 private:
  char opaque_[2048];  // coreutil's members: 112 bytes in 2.13
};

class system {
 public:
  system();
  virtual void get_xrt_info(boost::property_tree::ptree&) {}
  virtual void get_os_info(boost::property_tree::ptree&) {}
  virtual void get_devices(boost::property_tree::ptree&) const {}
  virtual unsigned get_device_id(const std::string&) const { return 0; }
  virtual std::pair<unsigned, unsigned> get_total_devices(bool) const = 0;
  virtual std::shared_ptr<device> get_userpf_device(unsigned id) const = 0;
  virtual std::shared_ptr<device> get_userpf_device(void* handle, unsigned id) const = 0;
  virtual std::shared_ptr<device> get_mgmtpf_device(unsigned id) const = 0;
  virtual int get_monitor_access_type() const { return 0; }
  virtual void program_plp(const device*, const std::string&, bool) const {}
  virtual void mem_read(const device*, long long, long long, const std::string&) const {}
  virtual void mem_write(const device*, long long, long long, unsigned) const {}
};

std::shared_ptr<device> get_userpf_device(void* handle, unsigned id);

}  // namespace xrt_core

#endif  // VTA_TESTS_SUPPORT_BOARD_XRT_INTERFACES_H_
