// SPDX-License-Identifier: Apache-2.0
//
// The .vta file; README.md describes it byte by byte.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/errors/counted.h"
#include "base/files/checksum.h"
#include "base/files/file.h"
#include "base/files/file_start.h"
#include "base/files/object_reader.h"
#include "base/files/strict_json.h"
#include "base/numbers/round_up.h"
#include "runtime/program/program.h"

namespace vta {
namespace {

static_assert(std::endian::native == std::endian::little, "program files are little-endian");

constexpr char kMagic[8] = {'V', 'T', 'A', 'P', 'R', 'O', 'G', '\0'};
constexpr uint32_t kVersion = 13;
constexpr uint64_t kDataAlignmentBytes = 64;
constexpr size_t kMaxRank = 8;

// The file's first bytes.
struct Preamble {
  char magic[8];
  uint32_t version;
  uint32_t crc;           // of all bytes after this field
  uint64_t file_bytes;    // of the whole file
  uint64_t header_bytes;  // of the JSON text that follows
};
static_assert(sizeof(Preamble) == 32);
constexpr size_t kCrcCoversFrom = 16;

// ---------------------------------------------------------------- writing

class Writer {
 public:
  explicit Writer(const Program& program) : p_(program) {}

  std::vector<uint8_t> run() {
    Json header;
    header["core"] = Json::parse(to_json(p_.core));
    header["network"] = p_.network;
    header["batch"] = p_.batch;
    header["mode"] = p_.mode;
    header["quantize"] = p_.quantize;
    header["weights"] = p_.weights;
    header["calibration"] = p_.calibration;
    header["arena_bytes"] = p_.arena_bytes;
    header["arena_image"] = append(p_.arena_image);
    for (const char* list : {"values", "steps", "inputs", "outputs"}) header[list] = Json::array();
    for (const ProgramValue& value : p_.values) header["values"].push_back(value_json(value));
    for (const ProgramStep& step : p_.steps) header["steps"].push_back(step_json(step));
    for (const ProgramInput& input : p_.inputs) header["inputs"].push_back(input_json(input));
    for (const ProgramOutput& output : p_.outputs) {
      header["outputs"].push_back(output_json(output));
    }
    header["postprocess"] = output_spec_json(p_.output_spec);
    if (!p_.class_names.empty()) header["class_names"] = p_.class_names;
    return assemble(header.dump());
  }

 private:
  // Appends to the data section. Returns the reference for the header.
  Json append(std::span<const uint8_t> bytes) {
    data_.resize(round_up(data_.size(), kDataAlignmentBytes));
    const Json reference = {{"offset_bytes", data_.size()}, {"size_bytes", bytes.size()}};
    data_.insert(data_.end(), bytes.begin(), bytes.end());
    return reference;
  }

  Json value_json(const ProgramValue& value) {
    Json json = {{"name", value.name},
                 {"dtype", to_string(value.type.dtype)},
                 {"shape", value.type.shape},
                 {"on_device", value.on_device}};
    if (value.type.is_open()) json["open_axes"] = value.type.open_axis_list();
    if (value.on_device) json["arena_offset_bytes"] = value.arena_offset_bytes;
    if (value.layout != Layout::kImages) json["layout"] = to_string(value.layout);
    if (!value.constant.empty()) json["constant"] = append(value.constant.bytes());
    return json;
  }

  static Json step_json(const ProgramStep& step) {
    Json json = {{"kind", to_string(step.kind)}, {"layer", step.layer}};
    if (has_operator(step)) {
      json["op"] = to_string(step.op);
      json["attrs"] = to_string(step.op, step.attrs);
    }
    json["inputs"] = step.inputs;
    json["outputs"] = step.outputs;
    if (step.kind == ProgramStep::Kind::kHost) json["reason"] = to_string(step.host_reason);
    if (step.kind == ProgramStep::Kind::kCore) {
      json["stream_offset_bytes"] = step.stream_offset_bytes;
      json["num_instructions"] = step.num_instructions;
      json["continues"] = step.continues;
      if (step.pool) json["pool"] = to_string(OpKind::kMaxPool2d, *step.pool);
    }
    return json;
  }

  static Json input_json(const ProgramInput& input) {
    Json json = {{"value", input.value}, {"sample", input.sample}};
    if (input.image) {
      json["image"] = image_json(*input.image);
    }
    return json;
  }

  static Json output_json(const ProgramOutput& output) {
    Json json = {{"value", output.value}, {"labels", output.labels}};
    if (!output.name.empty()) json["name"] = output.name;
    return json;
  }

  static Json image_json(const ImageSpec& image) {
    Json json = {{"resize_short_side", image.resize_short_side},
                 {"channels", image.channels},
                 {"scale", image.scale},
                 {"mean", image.mean},
                 {"stddev", image.stddev},
                 {"filter", image.filter},
                 {"resize", image.resize}};
    if (image.letterbox) json["letterbox"] = *image.letterbox;
    if (image.layout != ImageSpec().layout) json["layout"] = image.layout;
    return json;
  }

  static Json output_spec_json(const OutputSpec& spec) {
    return {{"kind", spec.kind},           {"top", spec.top},     {"anchors", spec.anchors},
            {"min_score", spec.min_score}, {"scale", spec.scale}, {"max_overlap", spec.max_overlap},
            {"offset", spec.offset}};
  }

  std::vector<uint8_t> assemble(const std::string& header) const {
    const uint64_t data_begin = round_up(sizeof(Preamble) + header.size(), kDataAlignmentBytes);
    std::vector<uint8_t> file(data_begin + data_.size());
    Preamble preamble{};
    std::memcpy(preamble.magic, kMagic, sizeof kMagic);
    preamble.version = kVersion;
    preamble.file_bytes = file.size();
    preamble.header_bytes = header.size();
    std::memcpy(file.data(), &preamble, sizeof preamble);
    std::memcpy(file.data() + sizeof preamble, header.data(), header.size());
    if (!data_.empty()) std::memcpy(file.data() + data_begin, data_.data(), data_.size());
    preamble.crc = crc32(std::span(file).subspan(kCrcCoversFrom));
    std::memcpy(file.data(), &preamble, sizeof preamble);
    return file;
  }

  const Program& p_;
  std::vector<uint8_t> data_;
};

// ---------------------------------------------------------------- reading

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorCode::kCorrupt, format, std::forward<Args>(args)...);
}

// An object of the header.
class HeaderReader : public ObjectReader {
 public:
  HeaderReader(const Json& json, const std::string& name)
      : ObjectReader(json, name, ErrorCode::kCorrupt) {}

  uint64_t size(const char* key, int64_t limit = std::numeric_limits<int64_t>::max()) {
    return static_cast<uint64_t>(integer(key, 0, limit));
  }
  template <typename T>
  std::vector<T> sizes(const char* key) {
    const std::vector<int64_t> all = unsigned_integers(key, std::numeric_limits<T>::max());
    return {all.begin(), all.end()};
  }
  std::vector<std::string> any_texts(const char* key) {
    if (!std::ranges::all_of(list(key), &Json::is_string)) refuse(key, "a list of strings");
    return list(key).get<std::vector<std::string>>();
  }
  std::vector<double> any_numbers(const char* key) {
    if (!std::ranges::all_of(list(key), &Json::is_number)) refuse(key, "a list of numbers");
    return list(key).get<std::vector<double>>();
  }
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  Program run() {
    const Json json = parse_strict_json(read_preamble());
    HeaderReader header(json, "header");
    Program p;
    p.core = parse_core_config(header.value("core").dump(), "core");
    p.network = header.any_text("network");
    p.batch = static_cast<int64_t>(header.size("batch"));
    p.mode = header.any_text("mode");
    p.quantize = header.any_text("quantize");
    p.weights = header.any_text("weights");
    p.calibration = header.any_text("calibration");
    p.arena_bytes = header.size("arena_bytes");
    const auto image = referenced(header.value("arena_image"), "arena_image");
    p.arena_image.assign(image.begin(), image.end());
    for (const Json& item : header.list("values"))
      p.values.push_back(read_value(item, p.values.size()));
    for (const Json& item : header.list("steps"))
      p.steps.push_back(read_step(item, p.steps.size()));
    for (const Json& item : header.list("inputs")) p.inputs.push_back(read_input(item));
    for (const Json& item : header.list("outputs")) {
      HeaderReader output(item, "output");
      p.outputs.push_back({static_cast<ValueId>(output.size("value", INT32_MAX)),
                           output.any_text("labels"),
                           output.has("name") ? output.any_text("name") : ""});
    }
    p.output_spec = read_output_spec(HeaderReader(header.value("postprocess"), "postprocess"));
    if (header.has("class_names")) p.class_names = header.any_texts("class_names");
    check(p);
    return p;
  }

 private:
  // Checks the preamble. Returns the JSON text.
  std::string_view read_preamble() {
    Preamble preamble;
    if (bytes_.size() < sizeof preamble)
      refuse("{} cannot be a program", counted(bytes_.size(), "byte"));
    std::memcpy(&preamble, bytes_.data(), sizeof preamble);
    if (std::memcmp(preamble.magic, kMagic, sizeof kMagic) != 0)
      refuse("is not a .vta program: wrong magic number");
    if (preamble.version != kVersion)
      refuse("program format {}, this build reads {}", preamble.version, kVersion);
    if (preamble.file_bytes != bytes_.size()) {
      refuse("expected {} as in the header, got {}", counted(preamble.file_bytes, "byte"),
             bytes_.size());
    }
    if (preamble.crc != crc32(bytes_.subspan(kCrcCoversFrom)))
      refuse("the checksum does not match");
    if (preamble.header_bytes > bytes_.size() - sizeof preamble) {
      refuse("a header of {} in a file of {}", counted(preamble.header_bytes, "byte"),
             bytes_.size());
    }
    const uint64_t data_begin =
        round_up(sizeof preamble + preamble.header_bytes, kDataAlignmentBytes);
    data_ = data_begin <= bytes_.size() ? bytes_.subspan(data_begin) : std::span<const uint8_t>();
    return {reinterpret_cast<const char*>(bytes_.data()) + sizeof preamble,
            static_cast<size_t>(preamble.header_bytes)};
  }

  std::span<const uint8_t> referenced(const Json& json, const std::string& name) const {
    HeaderReader reference(json, name);
    const uint64_t offset = reference.size("offset_bytes"), size = reference.size("size_bytes");
    if (offset > data_.size() || size > data_.size() - offset) {
      refuse("{}: {} bytes from {} exceed the {} bytes of data", name, size, offset, data_.size());
    }
    return data_.subspan(offset, size);
  }

  ProgramValue read_value(const Json& json, size_t index) const {
    const std::string name = fmt::format("value {}", index);
    HeaderReader reader(json, name);
    ProgramValue value;
    value.name = reader.any_text("name");
    value.type.dtype = dtype_from_string(reader.any_text("dtype"));
    value.type.shape = reader.sizes<int64_t>("shape");
    if (reader.has("open_axes")) read_open_axes(reader, name, value.type);
    value.on_device = reader.boolean("on_device");
    if (value.on_device) value.arena_offset_bytes = reader.size("arena_offset_bytes");
    if (reader.has("layout")) value.layout = layout_from_text(reader.any_text("layout"), name);
    if (reader.has("constant")) {
      const auto bytes = referenced(reader.value("constant"), name + " constant");
      // The shape is not checked yet; the constant must not allocate more bytes than the file has.
      uint64_t expected = size_bytes(value.type.dtype);
      for (int64_t dim : value.type.shape) {
        expected = dim == 0 || expected > bytes.size()
                       ? 0
                       : expected * static_cast<uint64_t>(std::min<int64_t>(dim, INT32_MAX));
      }
      if (expected != bytes.size() || bytes.empty())
        refuse("{}: its constant has {}, which does not match its shape", name,
               counted(bytes.size(), "byte"));
      value.constant = Tensor(value.type);
      std::memcpy(value.constant.mutable_bytes().data(), bytes.data(), bytes.size());
    }
    return value;
  }

  static void read_open_axes(HeaderReader& reader, const std::string& name, TensorType& type) {
    for (const auto axis : reader.sizes<uint8_t>("open_axes")) {
      if (axis >= type.shape.size() || axis >= kMaxRank)
        refuse("{}: open axis {} of {}", name, axis, counted(type.shape.size(), "axis"));
      type.open_axes |= static_cast<uint8_t>(1 << axis);
    }
  }

  static Layout layout_from_text(const std::string& text, const std::string& name) {
    for (Layout layout : {Layout::kRows, Layout::kWeights}) {
      if (text == to_string(layout)) return layout;
    }
    refuse("{}: '{}' is not a layout of matrices", name, text);
  }

  static ProgramStep::Kind kind_from_text(const std::string& text, const std::string& name) {
    using Kind = ProgramStep::Kind;
    for (Kind kind : {Kind::kHost, Kind::kPack, Kind::kUnpack, Kind::kCore, Kind::kView}) {
      if (text == to_string(kind)) return kind;
    }
    refuse("{}: '{}' is not a kind of step", name, text);
  }

  static ProgramStep read_step(const Json& json, size_t index) {
    const std::string name = fmt::format("step {}", index);
    HeaderReader reader(json, name);
    ProgramStep step;
    step.kind = kind_from_text(reader.any_text("kind"), name);
    step.layer = reader.any_text("layer");
    using Kind = ProgramStep::Kind;
    const bool may_lack = step.kind == Kind::kPack && !reader.has("op");
    if (step.kind != Kind::kUnpack && !may_lack) {
      step.op = op_kind_from_string(reader.any_text("op"));
      step.attrs = attrs_from_string(step.op, reader.any_text("attrs"));
    }
    if (step.kind == Kind::kHost)
      step.host_reason = host_reason_from_string(reader.any_text("reason"));
    step.inputs = reader.sizes<ValueId>("inputs");
    step.outputs = reader.sizes<ValueId>("outputs");
    if (step.kind == ProgramStep::Kind::kCore) {
      step.stream_offset_bytes = reader.size("stream_offset_bytes");
      step.num_instructions = static_cast<uint32_t>(reader.size("num_instructions", UINT32_MAX));
      step.continues = reader.boolean("continues");
      if (reader.has("pool"))
        step.pool = attrs_from_string(OpKind::kMaxPool2d, reader.any_text("pool"));
    }
    return step;
  }

  static ProgramInput read_input(const Json& json) {
    HeaderReader reader(json, "input");
    ProgramInput input;
    input.value = static_cast<ValueId>(reader.size("value", INT32_MAX));
    input.sample = reader.any_text("sample");
    if (!reader.has("image")) return input;
    input.image = read_image_spec(HeaderReader(reader.value("image"), "input image"));
    return input;
  }

  static OutputSpec read_output_spec(HeaderReader json) {
    OutputSpec spec;
    spec.kind = json.any_text("kind");
    spec.top = static_cast<int64_t>(json.size("top"));
    for (const Json& list : json.list("anchors")) {
      spec.anchors.push_back(
          HeaderReader({{"anchors", list}}, "postprocess").any_numbers("anchors"));
    }
    spec.min_score = json.any_number("min_score");
    spec.max_overlap = json.any_number("max_overlap");
    spec.scale = json.any_number("scale");
    spec.offset = json.any_number("offset");
    return spec;
  }

  static ImageSpec read_image_spec(HeaderReader image) {
    ImageSpec spec{static_cast<int64_t>(image.size("resize_short_side")),
                   image.any_text("channels"),
                   image.any_number("scale"),
                   image.any_numbers("mean"),
                   image.any_numbers("stddev"),
                   image.any_text("filter"),
                   {},
                   {}};
    const auto resize = image.sizes<int64_t>("resize");
    if (resize.size() != 2)
      refuse("input image: \"resize\" holds {}, not 2", counted(resize.size(), "number"));
    spec.resize = {resize[0], resize[1]};
    if (image.has("layout")) spec.layout = image.any_text("layout");
    if (image.has("letterbox")) spec.letterbox = static_cast<int64_t>(image.size("letterbox"));
    return spec;
  }

  const std::span<const uint8_t> bytes_;
  std::span<const uint8_t> data_;
};

}  // namespace

const char* to_string(ProgramStep::Kind kind) {
  switch (kind) {
    case ProgramStep::Kind::kHost:
      return "host";
    case ProgramStep::Kind::kPack:
      return "pack";
    case ProgramStep::Kind::kUnpack:
      return "unpack";
    case ProgramStep::Kind::kCore:
      return "core";
    case ProgramStep::Kind::kView:
      return "view";
  }
  return "?";
}

Place place_of(const ProgramStep& step) {
  const bool is_on_core =
      step.kind == ProgramStep::Kind::kCore || step.kind == ProgramStep::Kind::kView;
  return is_on_core ? Place::kCore : Place::kHost;
}

bool has_operator(const ProgramStep& step) {
  using Kind = ProgramStep::Kind;
  return step.kind != Kind::kUnpack && (step.kind != Kind::kPack || step.op != OpKind::kInput);
}

std::vector<uint8_t> serialize(const Program& program) { return Writer(program).run(); }

void write_program(const Program& program, const std::filesystem::path& path) {
  write_file(path, serialize(program));
}

Program parse_program(std::span<const uint8_t> bytes, const std::string& origin) {
  try {
    return Reader(bytes).run();
  } catch (const Error& error) {
    // Errors of inner parsers have other codes; for the caller, the file is corrupt.
    throw Error(ErrorCode::kCorrupt, origin + ": " + error.what());
  }
}

bool is_program_file(const std::filesystem::path& path) {
  const std::string start = file_start(path, sizeof kMagic);
  return start.size() == sizeof kMagic && std::memcmp(start.data(), kMagic, sizeof kMagic) == 0;
}

Program read_program(const std::filesystem::path& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  return parse_program(bytes, path.string());
}

}  // namespace vta
