// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/chrome_trace.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/errors/error.h"

namespace vta::sim {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 16;

[[noreturn]] void fail_to_write(const std::string& shown) {
  fail(ErrorCode::kIo, "{}: {}", shown, std::strerror(errno));
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

ChromeTrace::ChromeTrace(const std::string& path, const std::string& shown)
    : shown_(shown.empty() ? path : shown), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) fail_to_write(shown_);
}

template <class... Args>
void ChromeTrace::event(fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text_), "{}", std::exchange(any_event_, true) ? ",\n" : "\n");
  fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  if (text_.size() >= kBufferBytes) flush();
}

void ChromeTrace::flush() {
  if (std::fwrite(text_.data(), 1, text_.size(), file_.get()) != text_.size())
    fail_to_write(shown_);
  text_.clear();
}

void ChromeTrace::begin(std::string_view metadata) {
  begun_ = true;
  fmt::format_to(std::back_inserter(text_),
                 "{{\"displayTimeUnit\":\"ms\",\n\"otherData\":{},\n\"traceEvents\":[",
                 metadata.empty() ? "{}" : metadata);
}

void ChromeTrace::name_process(std::string_view name) {
  event(
      "{{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":0,\"name\":\"process_name\",\"args\":{{\"name\":{}"
      "}}}}",
      json_string(name));
}

void ChromeTrace::name_track(uint32_t track, std::string_view name) {
  event(
      "{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"ts\":0,\"name\":\"thread_name\",\"args\":{{\"name\":{"
      "1}}}}}",
      track, json_string(name));
  event(
      "{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"ts\":0,\"name\":\"thread_sort_index\",\"args\":{{"
      "\"sort_index\":{0}}}}}",
      track);
}

void ChromeTrace::complete(uint32_t track, std::string_view category, std::string_view name,
                           uint64_t begin, uint64_t duration, std::string_view arguments) {
  event("{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":\"{}\",\"name\":{}{}{}}}",
        track, begin, duration, category, json_string(name),
        arguments.empty() ? "" : ",\"args\":", arguments);
}

void ChromeTrace::flow(std::string_view category, std::string_view name, uint32_t from_track,
                       uint64_t from, uint32_t to_track, uint64_t to) {
  ++flows_;
  event("{{\"ph\":\"s\",\"pid\":1,\"tid\":{},\"ts\":{},\"id\":{},\"cat\":\"{}\",\"name\":\"{}\"}}",
        from_track, from, flows_, category, name);
  event(
      "{{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":{},\"ts\":{},\"id\":{},\"cat\":\"{}\","
      "\"name\":\"{}\"}}",
      to_track, to, flows_, category, name);
}

void ChromeTrace::counter(std::string_view name, uint64_t at, std::string_view arguments) {
  event("{{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":{},\"name\":\"{}\",\"args\":{}}}", at, name,
        arguments);
}

void ChromeTrace::finish() {
  if (file_ == nullptr) return;
  if (begun_) {
    fmt::format_to(std::back_inserter(text_), "\n]}}\n");
    flush();
  }
  if (std::fclose(file_.release()) != 0) fail_to_write(shown_);
}

}  // namespace vta::sim
