// SPDX-License-Identifier: Apache-2.0
//
// A fake zocl: XRT's kernel module, as a file in a fake /dev and a function `ioctl` of this
// program, in place of the C library's.
#ifndef VTA_TESTS_SUPPORT_BOARD_FAKE_ZOCL_H_
#define VTA_TESTS_SUPPORT_BOARD_FAKE_ZOCL_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/support/board/fake_board.h"

namespace vta::support {

// One at a time. The processor's view of a buffer and the core's are different memories, as with
// caches that are not coherent: a missing sync exposes old bytes.
class FakeZocl {
 public:
  // PYNQ 2.7 has zocl 2.8, 3.0.1 has 2.13, which returns a buffer's flags with its address.
  enum class Release { kPynq27, kPynq301 };

  // `driver`: the name that the device tells.
  explicit FakeZocl(FakeBoard& board, Release release = Release::kPynq301,
                    const std::string& driver = "zocl", const std::string& node = "renderD128");
  ~FakeZocl();
  FakeZocl(const FakeZocl&) = delete;
  FakeZocl& operator=(const FakeZocl&) = delete;

  // Result of a system call on the device: 0, or a negative error number.
  int call(unsigned long number, void* argument);
  const std::filesystem::path& path() const { return path_; }

  size_t buffers() const { return buffers_.size(); }
  struct Sync {
    uint32_t direction;
    uint64_t offset, size;
    bool operator==(const Sync&) const = default;
  };
  std::optional<Sync> last_sync;
  bool syncs = true;  // false: a fault, syncs have no effect

 private:
  struct Block {
    uint64_t offset, size;
    bool cacheable;
  };
  int create(void* argument);
  int sync(void* argument);
  const Block* find(uint32_t handle) const;

  FakeBoard& board_;
  const Release release_;
  const std::string driver_;
  const std::filesystem::path path_;
  std::optional<driver::Mapping> view_;  // the processor's
  std::map<uint32_t, Block> buffers_;
  uint32_t next_handle_ = 1;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_FAKE_ZOCL_H_
