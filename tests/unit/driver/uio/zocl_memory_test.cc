// SPDX-License-Identifier: Apache-2.0
//
// Memory of a fake zocl (tests/support/board/fake_zocl.h), beside PYNQ's UIO devices.
#include <gtest/gtest.h>

#include "driver/uio/bus_memory.h"
#include "driver/uio/zocl_ioctl.h"
#include "tests/support/board/fake_zocl.h"
#include "tests/support/error_in.h"
#include "tests/unit/driver/uio/uio_fixture.h"

namespace vta::driver {
namespace {

using support::FakeZocl;

struct ZoclMemory : Uio {
  ZoclMemory() { board.add_pynq_nodes(); }
};

TEST_F(ZoclMemory, RunsProgramsWithTheBuffersOfBothReleases) {
  begin();
  for (const auto release : {FakeZocl::Release::kPynq27, FakeZocl::Release::kPynq301}) {
    const FakeZocl zocl(board, release);
    for (const char* uri : {"uio:", "uio:fabric", "uio:fabric,memory=zocl"}) {
      const auto device = open(uri);
      EXPECT_EQ(device->describe().uri, "uio:fabric,memory=zocl");
      expect_runs(*device);
    }
    EXPECT_EQ(zocl.buffers(), 0u) << "not given back";
  }
}

TEST_F(ZoclMemory, SyncsTheRangeOfEachCopy) {
  begin();
  const FakeZocl zocl(board);
  const auto device = open("uio:");
  const DeviceAddress address = device->allocate(3 * 4096);
  EXPECT_EQ(address.bytes, support::FakeBoard::kMemoryBase);
  EXPECT_EQ(zocl.last_sync, (FakeZocl::Sync{zocl::kToDevice, 0, 3 * 4096})) << "cleared";
  std::vector<uint8_t> bytes(300, 7);
  device->copy_in({address.bytes + 4097}, bytes);
  EXPECT_EQ(zocl.last_sync, (FakeZocl::Sync{zocl::kToDevice, 4097, 300}));
  board.memory()[5000] = 9;  // by the core
  device->copy_out(bytes, {address.bytes + 5000});
  EXPECT_EQ(zocl.last_sync, (FakeZocl::Sync{zocl::kFromDevice, 5000, 300}));
  EXPECT_EQ(bytes[0], 9);
}

TEST_F(ZoclMemory, SaysHowMuchIsFreeWhereThereIsTooLittle) {
  begin();
  const FakeZocl zocl(board);
  board.write(board.roots.proc / "meminfo", "CmaTotal:  131072 kB\nCmaFree:     4096 kB\nX: 1\n");
  const auto device = open("uio:");
  const DeviceAddress first = device->allocate(3 << 20);
  const Error error = expect_error([&] { device->allocate(2 << 20); });
  EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  for (const char* part : {"2097152 bytes requested", "renderD128", "Cannot allocate memory",
                           "4096 kB of contiguous memory are free", "cma=256M"}) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  device->free(first);
  EXPECT_NO_THROW(device->allocate(4 << 20));
}

TEST_F(ZoclMemory, IsFoundByTheNameOfItsDriver) {
  begin();
  {
    const FakeZocl other(board, FakeZocl::Release::kPynq301, "lima");
    expect_open_error("uio:", "no zocl");
  }
  const FakeZocl zocl(board, FakeZocl::Release::kPynq301, "zocl", "renderD129");
  EXPECT_EQ(open("uio:")->describe().uri, "uio:fabric,memory=zocl") << "beside another's node";
}

TEST_F(ZoclMemory, ComesAfterMemoryThatIsSetUpForTheCore) {
  begin();
  const FakeZocl zocl(board);
  board.add_u_dma_buf("udmabuf0", 1 << 20);
  EXPECT_EQ(open("uio:")->describe().uri, "uio:fabric,memory=u-dma-buf");
  EXPECT_EQ(open("uio:,memory=zocl")->describe().uri, "uio:fabric,memory=zocl");
}

}  // namespace
}  // namespace vta::driver
