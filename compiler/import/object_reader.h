// SPDX-License-Identifier: Apache-2.0
//
// A JSON object whose every key is asked for once, with its type; what nobody asked for is an
// error.
#ifndef VTA_COMPILER_IMPORT_OBJECT_READER_H_
#define VTA_COMPILER_IMPORT_OBJECT_READER_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace vta::import {

using Json = nlohmann::ordered_json;

// Every reading function needs the key; ask has() first where it may be missing. Integers lie
// within +-2^31, other numbers within +-1e9; strings have at most 4096 bytes and no control
// characters; lists have at most 4096 entries.
// Errors: kInvalidArgument, "field 'stride': true where an integer is expected".
class ObjectReader {
 public:
  // `object` outlives the reader.
  explicit ObjectReader(const Json& object);

  bool has(const char* key);
  const Json& value(const char* key);
  std::string text(const char* key);
  bool boolean(const char* key);
  double number(const char* key);
  int64_t integer(const char* key, int64_t low, int64_t high);
  uint64_t seed(const char* key);  // any uint64
  std::vector<double> numbers(const char* key);
  std::vector<int64_t> integers(const char* key);
  // An integer stands for as many equal ones as the first of `counts` says; a list has one of those
  // lengths.
  std::vector<int64_t> integers(const char* key, std::vector<size_t> counts);
  std::vector<std::string> texts(const char* key);

  // Call it last.
  void refuse_unknown_keys() const;

 private:
  const Json& object_;
  std::set<std::string> known_;
};

// "field 'KEY': VALUE where EXPECTATION is expected".
[[noreturn]] void refuse_field(const char* key, const Json& value, const std::string& expectation);

// What text() takes: control characters of `text` as '?', bytes that are no UTF-8 as U+FFFD, and
// what is too long cut off.
std::string plain_text(const std::string& text);

// The value as it stands in the file, shortened.
std::string shown(const Json& value);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_OBJECT_READER_H_
