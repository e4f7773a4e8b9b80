// SPDX-License-Identifier: Apache-2.0
//
// Typed access to a JSON object, also for strict formats, in which a key that the reader does not
// consume is an error.
#ifndef VTA_BASE_FILES_OBJECT_READER_H_
#define VTA_BASE_FILES_OBJECT_READER_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace vta {

using Json = nlohmann::ordered_json;

// Reads the fields of a JSON object. A missing key is an error; test optional keys with has().
// Limits, if nothing else is said: numbers within +-1e9; integers in lists within +-2^31; strings
// of 4096 bytes without control characters; lists of 4096 entries. Errors: of the code, "NAME:
// field 'stride': expected an integer, got true"; without a name, "NAME: " is left out.
class ObjectReader {
 public:
  // `object` must outlive the reader.
  explicit ObjectReader(const Json& object, std::string name = "",
                        ErrorCode code = ErrorCode::kInvalidArgument);

  bool has(const char* key);
  const Json& value(const char* key);
  std::string text(const char* key);
  std::string any_text(const char* key);  // without limits
  bool boolean(const char* key);
  double number(const char* key);
  double any_number(const char* key);  // without limits
  int64_t integer(const char* key, int64_t low, int64_t high);
  uint64_t seed(const char* key);     // any uint64
  const Json& list(const char* key);  // of any size, of anything
  std::vector<double> numbers(const char* key);
  std::vector<int64_t> integers(const char* key);
  // A list of any size, each from 0 to `high`.
  std::vector<int64_t> unsigned_integers(const char* key, int64_t high);
  // A list whose length is one of `counts`, or one integer for a list of counts[0] equal ones.
  std::vector<int64_t> integers(const char* key, std::vector<size_t> counts);
  std::vector<std::string> texts(const char* key);

  // Call it after all fields have been read.
  void refuse_unknown_keys() const;
  [[noreturn]] void refuse(const char* key, const std::string& expectation);

 private:
  const Json& object_;
  const std::string name_;
  const ErrorCode code_;
  std::set<std::string> known_;
};

// `text` as text() accepts it: control characters become '?', invalid UTF-8 U+FFFD, and a text that
// is too long is cut off.
std::string plain_text(const std::string& text);

// The value as JSON text, shortened.
std::string shown(const Json& value);

}  // namespace vta

#endif  // VTA_BASE_FILES_OBJECT_READER_H_
