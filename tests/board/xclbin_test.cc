// SPDX-License-Identifier: Apache-2.0
//
// Checks our .xclbin with the structures of XRT's public header.
#include "driver/flash/xclbin.h"

#include <gtest/gtest.h>
#include <xclbin.h>

#include <cstring>
#include <string>

#include "configs/config_files.h"

namespace vta::driver {
namespace {

struct Xclbin : testing::Test {
  template <class Section>
  const Section& section(axlf_section_kind kind) const {
    const axlf_section_header* header = xclbin::get_axlf_section(&top(), kind);
    if (header == nullptr || header->m_sectionOffset % 8 != 0 ||
        header->m_sectionOffset + header->m_sectionSize > file.size()) {
      throw std::runtime_error("no such section");
    }
    return *reinterpret_cast<const Section*>(file.data() + header->m_sectionOffset);
  }
  const axlf& top() const { return *reinterpret_cast<const axlf*>(file.data()); }

  const BoardConfig board = load_board_config("pynq-z2");
  const std::vector<uint8_t> file = make_xclbin(board);
};

TEST_F(Xclbin, HasItsHeader) {
  EXPECT_STREQ(top().m_magic, "xclbin2");
  EXPECT_EQ(top().m_signature_length, -1);
  EXPECT_EQ(top().m_header.m_length, file.size());
  EXPECT_EQ(top().m_header.m_versionMajor, 2);
  EXPECT_EQ(top().m_header.m_mode, XCLBIN_FLAT);
  EXPECT_EQ(top().m_header.m_numSections, 6u);
  EXPECT_STREQ(reinterpret_cast<const char*>(top().m_header.m_platformVBNV), "vta_pynq-z2");
  EXPECT_EQ(xclbin::get_axlf_section(&top(), BITSTREAM), nullptr) << "XRT cannot load it there";
}

TEST_F(Xclbin, TellsOfMemoryAndCore) {
  for (const axlf_section_kind kind : {MEM_TOPOLOGY, ASK_GROUP_TOPOLOGY}) {
    const auto& memory = section<mem_topology>(kind);
    ASSERT_EQ(memory.m_count, 1);
    EXPECT_EQ(memory.m_mem_data[0].m_type, MEM_DDR4);
    EXPECT_EQ(memory.m_mem_data[0].m_used, 1);
    EXPECT_EQ(memory.m_mem_data[0].m_size, 512u * 1024);
    EXPECT_EQ(memory.m_mem_data[0].m_base_address, 0u);
  }
  const auto& ips = section<ip_layout>(IP_LAYOUT);
  ASSERT_EQ(ips.m_count, 1);
  EXPECT_EQ(ips.m_ip_data[0].m_type, IP_KERNEL);
  EXPECT_EQ(ips.m_ip_data[0].m_base_address, 0x43c00000u);
  EXPECT_EQ((ips.m_ip_data[0].properties & IP_CONTROL_MASK) >> IP_CONTROL_SHIFT, AP_CTRL_NONE);
  EXPECT_EQ(ips.m_ip_data[0].properties & IP_INT_ENABLE_MASK, 0u);
  EXPECT_STREQ(reinterpret_cast<const char*>(ips.m_ip_data[0].m_name), "vta:vta_0");
  for (const axlf_section_kind kind : {CONNECTIVITY, ASK_GROUP_CONNECTIVITY}) {
    const auto& connections = section<connectivity>(kind);
    ASSERT_EQ(connections.m_count, 1);
    EXPECT_EQ(connections.m_connection[0].mem_data_index, 0);
    EXPECT_EQ(connections.m_connection[0].m_ip_layout_index, 0);
  }
}

TEST_F(Xclbin, IsTheSameForTheSameBoardAndAnotherForAnother) {
  EXPECT_EQ(make_xclbin(board), file);
  const std::vector<uint8_t> other = make_xclbin(load_board_config("pynq-z1"));
  const auto& other_top = *reinterpret_cast<const axlf*>(other.data());
  EXPECT_NE(std::memcmp(other_top.m_header.uuid, top().m_header.uuid, 16), 0);
}

TEST(XclbinOfABoard, HasItsMemoryAndItsName) {
  for (const std::string& name : installed_config_names("boards")) {
    const BoardConfig board = load_board_config(name);
    const std::vector<uint8_t> file = make_xclbin(board);
    const auto* const top = reinterpret_cast<const axlf*>(file.data());
    const auto* const section = xclbin::get_axlf_section(top, MEM_TOPOLOGY);
    ASSERT_NE(section, nullptr) << name;
    const auto& memory =
        *reinterpret_cast<const mem_topology*>(file.data() + section->m_sectionOffset);
    EXPECT_EQ(memory.m_mem_data[0].m_size, board.memory_bytes / 1024) << name;
    EXPECT_EQ(reinterpret_cast<const char*>(top->m_header.m_platformVBNV), "vta_" + name);
  }
}

}  // namespace
}  // namespace vta::driver
