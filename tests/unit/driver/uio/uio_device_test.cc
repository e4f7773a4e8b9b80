// SPDX-License-Identifier: Apache-2.0
//
// The UIO driver on a fake Linux (tests/support/board/fake_board.h).
#include "driver/uio/uio_device.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/files/file.h"
#include "driver/linux/attribute.h"
#include "driver/uio/bus_memory.h"
#include "driver/uio/uio_node.h"
#include "tests/support/board/fake_board.h"
#include "tests/support/error_in.h"
#include "tests/unit/driver/uio/uio_fixture.h"

namespace vta::driver {
namespace {

TEST_F(Uio, RunsProgramsInReservedMemory) {
  board.add_core();
  board.add_carve_out();
  begin();
  for (const char* uri : {"uio:vta", "uio:uio1", "uio:/dev/uio1", "uio:vta,memory=carve-out"}) {
    expect_runs(*open(uri));
  }
}

TEST_F(Uio, RunsProgramsInUDmaBufWithItsSyncs) {
  board.add_core();
  board.add_u_dma_buf("udmabuf0", 1 << 20);
  board.add_u_dma_buf("udmabuf1", 2 << 20);
  board.add_carve_out();
  begin();
  const auto device = open("uio:vta");  // before the carve-out, the larger one
  expect_runs(*device);
  const std::filesystem::path node = board.roots.sys / "class/u-dma-buf/udmabuf1";
  EXPECT_EQ(read_attribute(node / "sync_direction"), "0");
  const DeviceAddress address = device->allocate(3 * 4096);
  std::vector<uint8_t> bytes(300, 7);
  write_attribute(node / "sync_for_device", "");
  device->copy_in({address.bytes + 4096}, bytes);
  const uint64_t offset = address.bytes - support::FakeBoard::kMemoryBase + 4096;
  EXPECT_EQ(read_number_attribute(node / "sync_offset"), offset);
  EXPECT_EQ(read_number_attribute(node / "sync_size"), 300u);
  EXPECT_EQ(read_attribute(node / "sync_for_device"), "1");
  write_attribute(node / "sync_for_cpu", "");
  device->copy_out(std::span(bytes).first(100), {address.bytes});
  EXPECT_EQ(read_number_attribute(node / "sync_size"), 100u);
  EXPECT_EQ(read_attribute(node / "sync_for_cpu"), "1");
  expect_open_error("uio:vta", "uio1 is in use by another process");
}

TEST_F(Uio, TakesTheUDmaBufThatIsNamed) {
  board.add_core();
  board.add_u_dma_buf("udmabuf0", 1 << 20);
  board.add_u_dma_buf("udmabuf1", 2 << 20);
  begin();
  auto device = open("uio:vta,u-dma-buf=udmabuf0");
  EXPECT_NO_THROW(device->allocate(1 << 20));
  EXPECT_THROW(device->allocate(1), Error);
  device.reset();
  expect_open_error("uio:vta,u-dma-buf=udmabuf7", "no u-dma-buf udmabuf7");
}

TEST_F(Uio, TakesTheSecondMapOfTheCoresNode) {
  board.add_core();
  board.add_second_map();
  begin();
  const auto device = open("uio:vta");
  EXPECT_EQ(device->allocate(8192).bytes, support::FakeBoard::kMemoryBase);
}

TEST_F(Uio, SaysWhatThereIsWhereNoDeviceHasTheName) {
  expect_open_error("uio:vta", "is called 'vta', found none");
  expect_open_error("uio:", "is called 'vta' or 'fabric', found none");
  board.add_core();
  expect_open_error("uio:core", "is called 'core', found uio0 (axi_gpio), uio1 (vta)");
}

TEST_F(Uio, TakesTheCoresNodeByItselfAndSaysWhich) {
  board.add_pynq_nodes();
  board.add_u_dma_buf("udmabuf0", 1 << 20);
  begin();
  EXPECT_EQ(open("uio:")->describe().uri, "uio:fabric,memory=u-dma-buf");
  EXPECT_EQ(open("uio:,u-dma-buf=udmabuf0")->describe().uri,
            "uio:fabric,memory=u-dma-buf,u-dma-buf=udmabuf0");
  board.write(board.roots.sys / "class/uio/uio0/name", "vta\n");
  const std::string message = error_of("uio:");
  EXPECT_NE(message.find("no core is there"), std::string::npos)
      << "its own node comes before PYNQ's: " << message;
}

// Its window is at the core's own address, but it has no interrupt, and another driver may use it.
TEST_F(Uio, NeverTakesPynqsAudioCodec) {
  board.add_pynq_nodes();
  begin();
  for (const char* uri : {"uio:audio-codec-ctrl", "uio:uio0", "uio:/dev/uio0"})
    expect_open_error(uri, "PYNQ's audio-codec-ctrl");
  std::filesystem::remove_all(board.roots.sys / "class/uio/uio1");
  expect_open_error("uio:", "is called 'vta' or 'fabric', found uio0 (audio-codec-ctrl)");
}

TEST_F(Uio, SaysWhatMemoryItLookedFor) {
  board.add_core();
  begin();
  const std::string message = error_of("uio:vta");
  for (const char* part : {"no u-dma-buf", "no reserved memory (a UIO device 'vta-memory')",
                           "no zocl", "dma-heap only with ',coherent'"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  expect_open_error("uio:vta,coherent", "no dma-heap of contiguous memory");
  expect_open_error("uio:vta,memory=dma-heap", "no memory for buffers: dma-heap only");
  expect_open_error("uio:vta,memory=ram", "got 'memory=ram'");
  expect_open_error("uio:vta,coherent=1", "got 'coherent=1'");
}

TEST_F(Uio, SaysThatAHeapRefuses) {
  board.add_core();
  begin();
  board.write(board.roots.dev / "dma_heap/reserved", "");
  const auto device = open("uio:vta,coherent");
  EXPECT_THROW(device->allocate(4096), Error);
}

TEST_F(Uio, RefusesRegistersThatAreTooSmall) {
  board.add_core();
  board.write(board.roots.sys / "class/uio/uio1/maps/map0/size", "0x100\n");
  expect_open_error("uio:vta", "has less than 4096 bytes of registers");
  board.write(board.roots.sys / "class/uio/uio1/maps/map0/size", "much\n");
  expect_open_error("uio:vta", "expected an unsigned integer, got 'much'");
}

TEST_F(Uio, RefusesAnotherCore) {
  board.add_core();
  board.add_carve_out();
  begin();
  const Error error =
      expect_error([&] { open_uio_device("uio:vta", load_core_config("vta_1x16"), board.roots); });
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  EXPECT_NE(std::string(error.what()).find("expected core vta_1x16"), std::string::npos);
  EXPECT_NE(std::string(error.what()).find("block_in is 8, not 16"), std::string::npos);
}

TEST(UioInterrupt, IsArmedAndAwaited) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const FileDescriptor kernel(ends[1]);
  const auto interrupt = make_uio_interrupt(FileDescriptor(ends[0]));
  uint32_t word = 0;
  interrupt->arm();
  ASSERT_EQ(::read(kernel.get(), &word, 4), 4);
  EXPECT_EQ(word, 1u) << "enabled";
  word = 17;  // number of interrupts so far
  ASSERT_EQ(::write(kernel.get(), &word, 4), 4);
  interrupt->wait(std::chrono::minutes(5));
  ASSERT_EQ(::read(kernel.get(), &word, 4), 4);
  EXPECT_EQ(word, 1u) << "enabled again";
  interrupt->wait(std::chrono::milliseconds(1));  // none comes
}

TEST_F(Uio, AFileHasNoInterrupt) {
  board.add_core();
  const FileDescriptor file = open_file(board.roots.dev / "uio1", 2);
  EXPECT_EQ(uio_interrupt(file), nullptr);
}

// Entries of PROC/self/pagemap for pages of this process.
struct PageMap : testing::Test {
  void put(uint64_t page, uint64_t entry) {
    if (entries.size() <= page) entries.resize(page + 1);
    entries[page] = entry;
    const auto* bytes = reinterpret_cast<const uint8_t*>(entries.data());
    write_file(path, std::span(bytes, entries.size() * 8));
  }
  std::string error_of(uint64_t address, uint64_t size) {
    return error_in([&] { physical_address(path, address, size); });
  }

  static constexpr uint64_t kPresent = uint64_t{1} << 63;
  ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "pagemap";
  std::vector<uint64_t> entries;
};

TEST_F(PageMap, GivesTheAddressOfContiguousPages) {
  put(5, kPresent | 0x17100);
  put(6, kPresent | 0x17101 | uint64_t{1} << 61);  // a flag above the frame's number
  EXPECT_EQ(physical_address(path, 5 * 4096, 2 * 4096), 0x17100000u);
}

TEST_F(PageMap, RefusesPagesThatAreApartOrHidden) {
  put(5, kPresent | 0x17100);
  put(6, kPresent | 0x20000);
  EXPECT_NE(error_of(5 * 4096, 4097).find("not contiguous: page 1 is at 0x20000000"),
            std::string::npos);
  put(5, kPresent);  // as read without permission
  EXPECT_NE(error_of(5 * 4096, 1).find("run as root"), std::string::npos);
  put(5, 0x17100);
  EXPECT_NE(error_of(5 * 4096, 1).find("run as root"), std::string::npos);
  EXPECT_NE(error_of(9 * 4096, 1).find("run as root"), std::string::npos);
}

}  // namespace
}  // namespace vta::driver
