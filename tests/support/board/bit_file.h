// SPDX-License-Identifier: Apache-2.0
//
// A small .bit file, for tests of its readers.
#ifndef VTA_TESTS_SUPPORT_BOARD_BIT_FILE_H_
#define VTA_TESTS_SUPPORT_BOARD_BIT_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace vta::support {

// With three words of configuration, the second of which is the synchronization word.
inline std::vector<uint8_t> bit_file(const std::string& part = "7z020clg400") {
  std::vector<uint8_t> file = {0, 9, 0x0F, 0xF0, 0x0F, 0xF0, 0x0F, 0xF0, 0x0F, 0xF0, 0, 0, 1};
  const auto field = [&](char letter, const std::string& text) {
    file.push_back(static_cast<uint8_t>(letter));
    file.push_back(0);
    file.push_back(static_cast<uint8_t>(text.size() + 1));
    file.insert(file.end(), text.begin(), text.end());
    file.push_back(0);
  };
  field('a', "system_wrapper;UserID=0XFFFFFFFF;Version=2022.1");
  field('b', part);
  field('c', "2026/11/22");
  field('d', "01:02:03");
  const std::vector<uint8_t> words = {0xFF, 0xFF, 0xFF, 0xFF, 0xAA, 0x99,
                                      0x55, 0x66, 0x20, 0,    0,    1};
  file.insert(file.end(), {'e', 0, 0, 0, static_cast<uint8_t>(words.size())});
  file.insert(file.end(), words.begin(), words.end());
  return file;
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_BIT_FILE_H_
