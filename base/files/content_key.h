// SPDX-License-Identifier: Apache-2.0
//
// ContentKey: a key of what a result depends on, for caches. Equal contents have equal keys.
#ifndef VTA_BASE_FILES_CONTENT_KEY_H_
#define VTA_BASE_FILES_CONTENT_KEY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace vta {

class ContentKey {
 public:
  ContentKey();
  ~ContentKey();
  ContentKey(const ContentKey&) = delete;
  ContentKey& operator=(const ContentKey&) = delete;

  // Adds a part: "ab" and "c" give another key than "a" and "bc".
  ContentKey& add(std::span<const uint8_t> bytes);
  ContentKey& add(std::string_view text);

  // SHA-256 of the parts and their lengths, as 64 hexadecimal digits. Call it once, at the end.
  std::string text();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SHA-256 of the text alone, as sha256sum prints it: 64 hexadecimal digits.
std::string sha256_text(std::string_view text);

}  // namespace vta

#endif  // VTA_BASE_FILES_CONTENT_KEY_H_
