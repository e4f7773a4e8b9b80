// SPDX-License-Identifier: Apache-2.0
//
// Typed access to a JSON object, for strict formats: a key that the reader does not consume is an
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

// Reads the fields of a JSON object. A missing key is an error; test optional keys with has().
// Limits: integers within +-2^31, other numbers within +-1e9; strings of 4096 bytes without control
// characters; lists of 4096 entries.
// Errors: kInvalidArgument, "field 'stride': expected an integer, got true".
class ObjectReader {
 public:
  // `object` must outlive the reader.
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
  // A list whose length is one of `counts`, or one integer for a list of counts[0] equal ones.
  std::vector<int64_t> integers(const char* key, std::vector<size_t> counts);
  std::vector<std::string> texts(const char* key);

  // Call it after all fields have been read.
  void refuse_unknown_keys() const;

 private:
  const Json& object_;
  std::set<std::string> known_;
};

// "field 'KEY': expected EXPECTATION, got VALUE".
[[noreturn]] void refuse_field(const char* key, const Json& value, const std::string& expectation);

// `text` as text() accepts it: control characters become '?', invalid UTF-8 U+FFFD, and a text that
// is too long is cut off.
std::string plain_text(const std::string& text);

// The value as JSON text, shortened.
std::string shown(const Json& value);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_OBJECT_READER_H_
