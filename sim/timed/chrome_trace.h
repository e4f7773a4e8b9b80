// SPDX-License-Identifier: Apache-2.0
//
// Writer of trace event files (JSON), which Perfetto and chrome://tracing display. Only the events
// that timelines need: complete events ("X"), flows ("s", "f"), counters ("C") and names ("M"), in
// one process.
#ifndef VTA_SIM_TIMED_CHROME_TRACE_H_
#define VTA_SIM_TIMED_CHROME_TRACE_H_

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace vta::sim {

// A JSON string, quotes included.
std::string json_string(std::string_view text);

class ChromeTrace {
 public:
  // `shown`: the file's name in messages, if it is written under another one. Errors: kIo.
  explicit ChromeTrace(const std::string& path, const std::string& shown = "");

  // Times are in the format's microseconds. `metadata`, `arguments`: JSON objects; "" for none.
  void begin(std::string_view metadata);
  void name_process(std::string_view name);
  void name_track(uint32_t track, std::string_view name);
  void complete(uint32_t track, std::string_view category, std::string_view name, uint64_t begin,
                uint64_t duration, std::string_view arguments);
  // An arrow from the event of `from_track` at time `from` to the event of `to_track` at time `to`.
  void flow(std::string_view category, std::string_view name, uint32_t from_track, uint64_t from,
            uint32_t to_track, uint64_t to);
  void counter(std::string_view name, uint64_t at, std::string_view arguments);

  // Ends the file. Writes nothing if begin() was never called. Errors: kIo.
  void finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  template <class... Args>
  void event(fmt::format_string<Args...> format, Args&&... args);
  void flush();

  const std::string shown_;
  std::unique_ptr<std::FILE, Close> file_;
  fmt::memory_buffer text_;  // not written yet
  bool begun_ = false, any_event_ = false;
  uint64_t flows_ = 0;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TIMED_CHROME_TRACE_H_
