// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/network_input.h"

#include <algorithm>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/array_file.h"
#include "runtime/host/array_input.h"
#include "runtime/host/network_input.h"

namespace vta::sim {
namespace fs = std::filesystem;

namespace {

bool names_array(const fs::path& file) {
  return file.extension() == ".npz" || file.extension() == ".npy";
}

Tensor read_array_input(const fs::path& file, const TensorType& type, const std::string& name) {
  const ArrayFile arrays(file);
  const NamedArrays& headers = arrays.headers();
  const auto array = headers.size() == 1 ? headers.begin() : headers.find(name);
  if (array == headers.end()) {
    fail(ErrorCode::kInvalidArgument, "{}: {}, expected one{}", file.string(),
         counted(headers.size(), "array"),
         name.empty() ? "" : fmt::format(", or one named '{}'", name));
  }
  with_context(file.string(), [&] {
    const int64_t rows = host::count_inputs(array->second, array->first, type);
    if (rows != 1) {
      fail(ErrorCode::kInvalidArgument,
           "{} in an array {}, expected one, {}: give a file for each row", counted(rows, "row"),
           array->second.type_text(), to_string(type));
    }
  });
  const NamedArray elements = arrays.read(array->first);
  return with_context(file.string(),
                      [&] { return host::array_inputs(elements, array->first, type)[0]; });
}

const std::string& input_name(const Program& program, size_t index) {
  return program.value(program.inputs[index].value).name;
}

[[noreturn]] void refuse_input(const Program& program, const std::string& text) {
  std::vector<std::string> names;
  for (size_t i = 0; i < program.inputs.size(); ++i) names.push_back(input_name(program, i));
  fail(ErrorCode::kInvalidArgument, "--input {}: the network has inputs {}; name one as NAME=FILE",
       text, fmt::join(names, ", "));
}

// The input that `text`, NAME=FILE, names. Errors: kInvalidArgument, with all names.
size_t input_of_name(const Program& program, const std::string& name, const std::string& text) {
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (input_name(program, i) == name) return i;
  refuse_input(program, text);
}

}  // namespace

NamedFile parse_named_file(const std::string& text) {
  std::error_code none;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || fs::exists(text, none)) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<InputFiles> input_files(const Program& program, const std::vector<std::string>& texts) {
  const size_t num_inputs = program.inputs.size();
  std::vector<std::vector<fs::path>> of_input(num_inputs);
  for (const std::string& text : texts) {
    const NamedFile named = parse_named_file(text);
    if (!named.name.empty()) {
      of_input[input_of_name(program, named.name, text)].push_back(named.file);
    } else if (num_inputs == 1 || named.file.extension() == ".npz") {
      for (auto& files : of_input) files.push_back(named.file);
    } else {
      refuse_input(program, text);
    }
  }
  std::vector<InputFiles> runs(of_input.at(0).size());
  for (size_t i = 0; i < num_inputs; ++i) {
    if (of_input[i].size() != runs.size()) {
      fail(ErrorCode::kInvalidArgument, "--input: {} for input {}, {} for input {}",
           counted(of_input[i].size(), "file"), input_name(program, i), runs.size(),
           input_name(program, 0));
    }
    for (size_t run = 0; run < runs.size(); ++run) runs[run].push_back(of_input[i][run]);
  }
  return runs;
}

std::string text_of(const Program& program, const InputFiles& files) {
  if (files.size() == 1) return files[0].string();
  std::vector<std::string> parts;
  for (size_t i = 0; i < files.size(); ++i)
    parts.push_back(fmt::format("{}={}", input_name(program, i), files[i].string()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Tensor read_program_input(const Program& program, size_t index, const fs::path& file, bool invert) {
  const ProgramInput& input = program.inputs.at(index);
  return read_input(file, sample_type(program, input.value), input.image, invert,
                    input_name(program, index));
}

bool names_image(const fs::path& file) {
  return !host::noise_seed(file.string()) && !names_array(file);
}

Tensor read_input(const fs::path& file, const TensorType& type,
                  const std::optional<ImageSpec>& image, bool invert, const std::string& name) {
  if (const auto seed = host::noise_seed(file.string())) return host::noise_input(type, *seed);
  if (names_array(file)) return read_array_input(file, type, name);
  return host::read_image_input(file, type, image, invert);
}

}  // namespace vta::sim
