// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_RANDOM_TEXT_H_
#define VTA_TESTS_HLS_RANDOM_TEXT_H_

#include <fmt/format.h>

#include <string>
#include <utility>

namespace vta::kernels {

// Lines of source, indented by the braces around them.
class Text {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    indented(fmt::format(format, std::forward<Args>(args)...) + "\n");
  }
  // A line that ends with a brace, and what closes it.
  template <class... Args>
  void open(fmt::format_string<Args...> format, Args&&... args) {
    indented(fmt::format(format, std::forward<Args>(args)...) + " {\n");
    ++depth_;
  }
  void close(const std::string& tail = "") {
    --depth_;
    indented("}" + tail + "\n");
  }
  const std::string& all() const { return text_; }

 private:
  void indented(const std::string& line) {
    text_.append(static_cast<size_t>(2 * depth_), ' ').append(line);
  }
  std::string text_;
  int depth_ = 0;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_TEXT_H_
