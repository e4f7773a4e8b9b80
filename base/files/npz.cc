// SPDX-License-Identifier: Apache-2.0
//
// .npy, and .npz: a zip archive of .npy members. A .npy is "\x93NUMPY", a version (two bytes), the
// length of a header (uint16 in version 1, else uint32), the header, a Python dictionary {'descr':
// '<f4', 'fortran_order': False, 'shape': (3, 4), }, and the elements.
#include <zip.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <memory>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/array_formats.h"

namespace vta {
namespace {

constexpr size_t kMaxHeaderBytes = 1 << 16;

// Parses the header's dictionary.
class HeaderReader {
 public:
  explicit HeaderReader(std::string text) : text_(std::move(text)) {}

  struct Header {
    std::string descr;
    bool fortran_order = false;
    std::vector<int64_t> shape;
  };

  Header read() {
    expect('{');
    bool has_descr = false, has_order = false, has_shape = false;
    while (!accept('}')) {
      const std::string key = read_string();
      expect(':');
      if (key == "descr" && !has_descr) {
        header_.descr = read_string();
        has_descr = true;
      } else if (key == "fortran_order" && !has_order) {
        header_.fortran_order = read_bool();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header_.shape = read_tuple();
        has_shape = true;
      } else {
        complain("descr, fortran_order and shape, once each");
      }
      if (!accept(',') && !peek('}')) complain("',' or '}'");
    }
    if (!has_descr || !has_order || !has_shape) complain("descr, fortran_order and shape");
    skip_spaces();
    if (at_ != text_.size()) complain("the end of the header after '}'");
    return header_;
  }

 private:
  std::string read_string() {
    skip_spaces();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) complain("a string");
    const size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string::npos) complain("the end of a string");
    const std::string value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return value;
  }
  bool read_bool() {
    skip_spaces();
    for (const char* word : {"True", "False"}) {
      if (text_.compare(at_, std::strlen(word), word) != 0) continue;
      at_ += std::strlen(word);
      return word[0] == 'T';
    }
    complain("True or False");
  }
  std::vector<int64_t> read_tuple() {
    std::vector<int64_t> values;
    expect('(');
    while (!accept(')')) {
      int64_t value = 0;
      skip_spaces();
      const char* end = text_.data() + text_.size();
      const auto [rest, error] = std::from_chars(text_.data() + at_, end, value);
      if (error != std::errc{}) complain("an integer");
      at_ = static_cast<size_t>(rest - text_.data());
      values.push_back(value);
      if (!accept(',') && !peek(')')) complain("',' or ')'");
    }
    return values;
  }

  bool peek(char c) {
    skip_spaces();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool accept(char c) {
    if (!peek(c)) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) complain(std::string("'") + c + "'");
  }
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  [[noreturn]] void complain(const std::string& expectation) const {
    fail(ErrorCode::kCorrupt, "header: expected {} at '{}'", expectation,
         printable(text_.substr(at_, 24)));
  }

  const std::string text_;
  size_t at_ = 0;
  Header header_;
};

ArrayType type_from(const std::string& descr) {
  static constexpr std::pair<const char*, ArrayType> kTypes[] = {
      {"<f8", ArrayType::kFloat64}, {"<f4", ArrayType::kFloat32}, {"<f2", ArrayType::kFloat16},
      {"<i8", ArrayType::kInt64},   {"<i4", ArrayType::kInt32},   {"|i1", ArrayType::kInt8},
      {"|u1", ArrayType::kUint8},
  };
  for (const auto& [text, type] : kTypes) {
    if (descr == text) return type;
  }
  fail(ErrorCode::kUnsupported, "element type '{}', expected <f8, <f4, <f2, <i8, <i4, |i1 or |u1",
       printable(descr));
}

// From Fortran order (first index fastest) to C order.
std::vector<uint8_t> row_major(const std::vector<uint8_t>& source,
                               const std::vector<int64_t>& shape, size_t elem_bytes) {
  std::vector<uint8_t> result(source.size());
  std::vector<int64_t> index(shape.size(), 0);
  for (size_t to = 0; to < result.size(); to += elem_bytes) {
    int64_t from = 0;
    for (size_t axis = shape.size(); axis-- > 0;) from = from * shape[axis] + index[axis];
    std::memcpy(&result[to], &source[static_cast<size_t>(from) * elem_bytes], elem_bytes);
    for (size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
  }
  return result;
}

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

// Reads the bytes of a .npy file sequentially.
class NpyBytes {
 public:
  // `size_bytes`: of the whole file, as its container says.
  explicit NpyBytes(uint64_t size_bytes) : size_bytes_(size_bytes) {}
  virtual ~NpyBytes() = default;

  std::vector<uint8_t> read(uint64_t size) {
    if (size > size_bytes_ - num_read_) {
      fail(ErrorCode::kCorrupt, "ends after {} of {}", size_bytes_,
           counted(num_read_ + size, "byte"));
    }
    // Grows as bytes arrive: a container may also state a false size.
    constexpr uint64_t kChunkBytes = uint64_t{16} << 20;
    std::vector<uint8_t> bytes;
    while (bytes.size() < size) {
      const size_t done = bytes.size();
      bytes.resize(static_cast<size_t>(std::min(size, done + kChunkBytes)));
      const uint64_t count = read_some(std::span(bytes).subspan(done));
      if (count == 0) {
        fail(ErrorCode::kCorrupt, "ends after {} of {}", num_read_,
             counted(num_read_ + size - done, "byte"));
      }
      num_read_ += count;
      bytes.resize(done + static_cast<size_t>(count));
    }
    return bytes;
  }

  // Checks, before the elements are read, that exactly `size` bytes are left.
  void expect_left(uint64_t size) const {
    const uint64_t left = size_bytes_ - num_read_;
    if (left < size)
      fail(ErrorCode::kCorrupt, "ends after {} of {}", size_bytes_,
           counted(num_read_ + size, "byte"));
    if (left > size)
      fail(ErrorCode::kCorrupt, "more than the {} bytes of its shape", num_read_ + size);
  }
  // After the last read().
  void expect_end() {
    uint8_t byte;
    if (read_some({&byte, 1}) != 0)
      fail(ErrorCode::kCorrupt, "more than the {} bytes of its shape", num_read_);
  }

 private:
  // Returns the number of bytes read, 0 at the end.
  virtual uint64_t read_some(std::span<uint8_t> target) = 0;

  const uint64_t size_bytes_;
  uint64_t num_read_ = 0;
};

// A member of a zip archive. libzip compares the checksum at its end.
class Member : public NpyBytes {
 public:
  Member(zip_t* archive, zip_uint64_t index)
      : NpyBytes(size_of(archive, index)), file_(zip_fopen_index(archive, index, 0)) {
    if (!file_) fail(ErrorCode::kCorrupt, "{}", zip_strerror(archive));
  }

 private:
  static uint64_t size_of(zip_t* archive, zip_uint64_t index) {
    zip_stat_t stat;
    if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0)
      fail(ErrorCode::kCorrupt, "{}", zip_strerror(archive));
    return stat.size;
  }
  uint64_t read_some(std::span<uint8_t> target) override {
    const zip_int64_t count = zip_fread(file_.get(), target.data(), target.size());
    if (count < 0) fail(ErrorCode::kCorrupt, "{}", zip_file_strerror(file_.get()));
    return static_cast<uint64_t>(count);
  }

  std::unique_ptr<zip_file_t, CloseMember> file_;
};

// A .npy file in memory.
class WholeFile : public NpyBytes {
 public:
  explicit WholeFile(std::span<const uint8_t> bytes) : NpyBytes(bytes.size()), left_(bytes) {}

 private:
  uint64_t read_some(std::span<uint8_t> target) override {
    const size_t count = std::min(target.size(), left_.size());
    std::copy_n(left_.begin(), count, target.begin());
    left_ = left_.subspan(count);
    return count;
  }

  std::span<const uint8_t> left_;
};

uint32_t little_endian(const std::vector<uint8_t>& bytes) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

struct NpyHeader {
  NamedArray array;  // without elements
  bool fortran_order = false;
};

NpyHeader read_header(NpyBytes& member) {
  const std::vector<uint8_t> magic = member.read(8);
  if (std::memcmp(magic.data(), "\x93NUMPY", 6) != 0) {
    fail(ErrorCode::kCorrupt, "not a .npy file: wrong magic bytes");
  }
  if (magic[6] < 1 || magic[6] > 3) {
    fail(ErrorCode::kUnsupported, ".npy version {}, expected 1 to 3", magic[6]);
  }
  const uint32_t header_bytes = little_endian(member.read(magic[6] == 1 ? 2 : 4));
  if (header_bytes > kMaxHeaderBytes) {
    fail(ErrorCode::kCorrupt, "a header of {} bytes, expected at most {}", header_bytes,
         kMaxHeaderBytes);
  }
  const std::vector<uint8_t> text = member.read(header_bytes);
  const HeaderReader::Header header = HeaderReader({text.begin(), text.end()}).read();
  return {{type_from(header.descr), header.shape, {}}, header.fortran_order};
}

// Checks that the member holds exactly the elements, as far as its container says.
NamedArray checked_header(NpyBytes& member, const std::string& name, ArrayBudget& budget) {
  NamedArray array = read_header(member).array;
  member.expect_left(budget.charge(name, array.type, array.shape));
  return array;
}

std::vector<uint8_t> read_elements(NpyBytes& member) {
  const auto [array, fortran_order] = read_header(member);
  const size_t elem_bytes = size_bytes(array.type);
  std::vector<uint8_t> bytes = member.read(static_cast<uint64_t>(array.num_elems()) * elem_bytes);
  member.expect_end();
  return fortran_order ? row_major(bytes, array.shape, elem_bytes) : bytes;
}

std::unique_ptr<zip_t, CloseArchive> open_archive(std::span<const uint8_t> bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source == nullptr
                       ? nullptr
                       : zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
  const std::string reason = archive == nullptr ? zip_error_strerror(&error) : "";
  zip_error_fini(&error);
  if (archive == nullptr) {
    if (source != nullptr) zip_source_free(source);
    fail(ErrorCode::kCorrupt, "not a .npz file: {}", reason);
  }
  return std::unique_ptr<zip_t, CloseArchive>(archive);
}

class NpySource : public ArraySource {
 public:
  explicit NpySource(std::span<const uint8_t> bytes) : bytes_(bytes) {
    ArrayBudget budget;
    WholeFile file(bytes_);
    headers_[""] = checked_header(file, "", budget);
  }

 private:
  std::vector<uint8_t> read_bytes(const std::string&) const override {
    WholeFile file(bytes_);
    return read_elements(file);
  }

  const std::span<const uint8_t> bytes_;
};

class NpzSource : public ArraySource {
 public:
  explicit NpzSource(std::span<const uint8_t> bytes) : archive_(open_archive(bytes)) {
    ArrayBudget budget;
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) add_member(static_cast<zip_uint64_t>(i), budget);
  }

 private:
  template <typename Action>
  auto in_member(const std::string& name, zip_uint64_t index, Action&& action) const {
    return with_context(fmt::format("array '{}'", printable(name)), [&] {
      Member member(archive_.get(), index);
      return action(member);
    });
  }

  void add_member(zip_uint64_t index, ArrayBudget& budget) {
    const char* raw_name = zip_get_name(archive_.get(), index, 0);
    std::string name = raw_name == nullptr ? "" : raw_name;
    if (!name.ends_with(".npy")) {
      fail(ErrorCode::kCorrupt, "member '{}' is not a .npy file", printable(name));
    }
    name.resize(name.size() - 4);
    NamedArray array = in_member(
        name, index, [&](Member& member) { return checked_header(member, name, budget); });
    if (!headers_.emplace(name, std::move(array)).second) {
      fail(ErrorCode::kCorrupt, "duplicate array '{}'", printable(name));
    }
    members_[name] = index;
  }

  std::vector<uint8_t> read_bytes(const std::string& name) const override {
    return in_member(name, members_.at(name), read_elements);
  }

  const std::unique_ptr<zip_t, CloseArchive> archive_;
  std::map<std::string, zip_uint64_t> members_;
};

}  // namespace

std::unique_ptr<const ArraySource> open_npy(std::span<const uint8_t> bytes) {
  return std::make_unique<NpySource>(bytes);
}

std::unique_ptr<const ArraySource> open_npz(std::span<const uint8_t> bytes) {
  return std::make_unique<NpzSource>(bytes);
}

}  // namespace vta
