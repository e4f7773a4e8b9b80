// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/xclbin.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>

#include "base/errors/error.h"
#include "base/files/checksum.h"
#include "base/numbers/random.h"

namespace vta::driver {
namespace {

// The layout of "struct axlf" and its parts from XRT's public header xclbin.h; a test compares
// both.
constexpr size_t kHeaderBytes = 456;  // before the section headers
constexpr size_t kSectionHeaderBytes = 40;
constexpr size_t kLengthOffset = 304, kUuidOffset = 416, kNumSectionsOffset = 448;
constexpr uint16_t kFlatMode = 0;
constexpr uint8_t kMemDdr4 = 1;
constexpr uint32_t kKernelIp = 1;
// AP_CTRL_NONE, of a user-managed unit: zocl does not look for a start register at offset 0.
constexpr uint32_t kNoControl = uint32_t{2} << 8;

enum SectionKind : uint32_t {
  kEmbeddedMetadata = 2,
  kMemTopology = 6,
  kConnectivity = 7,
  kIpLayout = 8,
  kGroupTopology = 26,
  kGroupConnectivity = 27,
};

// Writes little-endian numbers and padded texts.
class Writer {
 public:
  template <class Number>
  Writer& number(Number value) {
    for (size_t i = 0; i < sizeof(Number); ++i) {
      bytes_.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> 8 * i));
    }
    return *this;
  }
  Writer& text(std::string_view text, size_t width_bytes) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return fill(width_bytes - text.size(), 0);
  }
  Writer& fill(size_t count, uint8_t value) {
    bytes_.insert(bytes_.end(), count, value);
    return *this;
  }
  Writer& bytes(std::span<const uint8_t> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  Writer& align() { return fill((8 - bytes_.size() % 8) % 8, 0); }
  size_t size() const { return bytes_.size(); }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

struct Section {
  SectionKind kind;
  const char* name;
  std::vector<uint8_t> bytes;
};

std::vector<uint8_t> mem_topology(const BoardConfig& board) {
  return Writer()
      .number<int32_t>(1)
      .fill(4, 0)
      .number<uint8_t>(kMemDdr4)
      .number<uint8_t>(1)  // used
      .fill(6, 0)
      .number<uint64_t>(board.memory_bytes / 1024)
      .number<uint64_t>(0)  // its address
      .text("PSDDR", 16)
      .take();
}

std::vector<uint8_t> ip_layout(const BoardConfig& board) {
  return Writer()
      .number<int32_t>(1)
      .fill(4, 0)
      .number<uint32_t>(kKernelIp)
      .number<uint32_t>(kNoControl)  // and no interrupt handled by XRT
      .number<uint64_t>(board.registers_base)
      .text(fmt::format("{}:{}", kXclbinKernel, kXclbinInstance), 64)
      .take();
}

// Argument 0 of the kernel, in memory 0.
std::vector<uint8_t> connectivity() {
  return Writer()
      .number<int32_t>(1)
      .number<int32_t>(0)
      .number<int32_t>(0)
      .number<int32_t>(0)
      .take();
}

std::vector<uint8_t> metadata(const BoardConfig& board) {
  const std::string xml = fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<project name="vta">
  <platform vendor="vta" boardid="{0}" name="{0}" featureRomTime="0">
    <version major="1" minor="0"/>
    <device name="fpga0" fpgaDevice="{1}">
      <core name="OCL_REGION_0" target="bitstream" type="clc_region">
        <kernel name="{2}" language="ip_c" vlnv="vta:user:{2}:1.0" hwControlProtocol="user_managed">
          <port name="s_axi" mode="slave" range="{4:#x}" dataWidth="32" portType="addressable" base="0x0"/>
          <instance name="{3}">
            <addrRemap base="{5:#x}" range="{4:#x}" port="s_axi"/>
          </instance>
        </kernel>
      </core>
    </device>
  </platform>
</project>
)",
      board.name, board.part, kXclbinKernel, kXclbinInstance, board.registers_bytes,
      board.registers_base);
  return {xml.begin(), xml.end()};
}

std::vector<Section> sections_of(const BoardConfig& board) {
  return {{kMemTopology, "mem_topology", mem_topology(board)},
          {kGroupTopology, "group_topology", mem_topology(board)},
          {kIpLayout, "ip_layout", ip_layout(board)},
          {kConnectivity, "connectivity", connectivity()},
          {kGroupConnectivity, "group_connect", connectivity()},
          {kEmbeddedMetadata, "metadata", metadata(board)}};
}

// A UUID in the form of version 4 (random), derived from the sections.
std::array<uint8_t, 16> uuid_of(std::span<const Section> sections) {
  uint64_t seed = 0;
  for (const Section& section : sections) seed = seed << 32 ^ seed >> 31 ^ crc32(section.bytes);
  Random random(seed);
  std::array<uint8_t, 16> uuid;
  for (uint8_t& byte : uuid) byte = static_cast<uint8_t>(random.next());
  uuid[6] = (uuid[6] & 0x0F) | 0x40;
  uuid[8] = (uuid[8] & 0x3F) | 0x80;
  return uuid;
}

void write_header(Writer& out, uint64_t length, const BoardConfig& board,
                  std::span<const Section> sections) {
  out.text("xclbin2", 8).number<int32_t>(-1).fill(28, 0xFF).fill(256, 0xFF);
  out.number<uint64_t>(1);  // a unique id, unused
  VTA_ASSERT(out.size() == kLengthOffset, "as in xclbin.h");
  out.number(length).number<uint64_t>(1).number<uint64_t>(0).number<uint16_t>(0);
  out.number<uint8_t>(2).number<uint8_t>(13).number(kFlatMode).number<uint16_t>(0).fill(16, 0);
  out.text("vta_" + board.name.substr(0, 48), 64);
  VTA_ASSERT(out.size() == kUuidOffset, "as in xclbin.h");
  out.bytes(uuid_of(sections)).fill(16, 0);
  VTA_ASSERT(out.size() == kNumSectionsOffset, "as in xclbin.h");
  out.number(static_cast<uint32_t>(sections.size())).fill(4, 0);
}

}  // namespace

std::vector<uint8_t> make_xclbin(const BoardConfig& board) {
  const std::vector<Section> sections = sections_of(board);
  Writer headers, bodies;
  size_t start = kHeaderBytes + sections.size() * kSectionHeaderBytes;
  start += (8 - start % 8) % 8;
  for (const Section& section : sections) {
    headers.number<uint32_t>(section.kind).text(section.name, 16).fill(4, 0);
    headers.number<uint64_t>(start + bodies.size()).number<uint64_t>(section.bytes.size());
    bodies.bytes(section.bytes).align();
  }
  Writer out;
  write_header(out, start + bodies.size(), board, sections);
  out.bytes(headers.take()).align().bytes(bodies.take());
  return out.take();
}

}  // namespace vta::driver
