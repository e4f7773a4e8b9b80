// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/program_export.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/files/file.h"
#include "base/files/file_roles.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "tools/sim/portability.h"

namespace vta::sim {
namespace {

constexpr const char* kArenaFile = "arena.bin";
constexpr const char* kProgramFile = "program.json";

using Json = nlohmann::ordered_json;

// Layer names may contain any characters; file names only portable ones.
std::string file_name(size_t step, const std::string& layer) {
  std::string safe;
  for (const char c : layer) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    safe += plain || c == '-' || c == '_' || c == '.' ? c : '_';
  }
  constexpr size_t kMaxLayerLetters = 80;
  return fmt::format("{:03}_{}.insns", step, safe.substr(0, kMaxLayerLetters));
}

// The file of a stream.
struct StreamFile {
  std::string name;
  uint64_t arena_offset_bytes = 0;
};
StreamFile stream_file(const Program& program, StreamSteps stream) {
  const ProgramStep& step = program.steps[stream.first];
  return {file_name(stream.first, step.layer), step.stream_offset_bytes};
}

Json value_json(const Program& program, const ProgramValue& value) {
  Json json = {{"name", value.name},
               {"dtype", vta::to_string(value.type.dtype)},
               {"shape", value.type.shape},
               {"on_device", value.on_device}};
  if (value.type.is_open()) json["open_axes"] = value.type.open_axis_list();
  if (value.on_device) {
    json["arena_offset_bytes"] = value.arena_offset_bytes;
    json["packed_bytes"] = packed_size_bytes(value, program.core);
    json["layout"] = to_string(value.layout);
  }
  return json;
}

Json step_json(const ProgramStep& step, const StreamFile& stream) {
  Json json = {{"kind", to_string(step.kind)},
               {"layer", step.layer},
               {"inputs", step.inputs},
               {"outputs", step.outputs}};
  if (has_operator(step)) {
    json["op"] = vta::to_string(step.op);
    json["attributes"] = vta::to_string(step.op, step.attrs);
  }
  if (step.kind == ProgramStep::Kind::kCore) {
    json["file"] = stream.name;
    json["first_instruction"] =
        (step.stream_offset_bytes - stream.arena_offset_bytes) / isa::kInstructionBytes;
    json["num_instructions"] = step.num_instructions;
    json["arena_offset_bytes"] = step.stream_offset_bytes;
  }
  return json;
}

Json program_json(const Program& program, uint64_t base_bytes) {
  Json json = {
      {"network", program.network},
      {"mode", program.mode},
      {"quantize", program.quantize},
      {"weights", program.weights},
      {"core", Json::parse(to_json(program.core))},
      {"arena",
       {{"file", kArenaFile}, {"bytes", program.arena_bytes}, {"base_bytes", base_bytes}}}};
  json["values"] = Json::array();
  for (const ProgramValue& value : program.values)
    json["values"].push_back(value_json(program, value));
  json["inputs"] = Json::array();
  for (const ProgramInput& input : program.inputs) json["inputs"].push_back(input.value);
  json["outputs"] = Json::array();
  for (const ProgramOutput& output : program.outputs) json["outputs"].push_back(output.value);
  json["steps"] = Json::array();
  const std::vector<StreamSteps> streams = streams_of(program);
  auto next = streams.begin();
  StreamFile stream;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if (next != streams.end() && i == next->first) stream = stream_file(program, *next++);
    json["steps"].push_back(step_json(program.steps[i], stream));
  }
  return json;
}

// Streams of another program would look like ones of this.
void refuse_other_streams(const Program& program, const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const StreamSteps stream : streams_of(program))
    names.insert(stream_file(program, stream).name);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".insns" || names.count(name) > 0) continue;
    fail(ErrorCode::kInvalidArgument,
         "{}: holds {}, which this program does not have; name an empty folder", folder.string(),
         name);
  }
}

}  // namespace

void export_program(const Program& program, const std::filesystem::path& folder,
                    uint64_t base_bytes) {
  std::vector<std::vector<isa::InstructionBits>> streams;
  for (const StreamSteps stream : streams_of(program))
    streams.push_back(
        moved(isa::instructions_in(stream_bytes(program, stream)), base_bytes, program.core));
  make_folder(folder);
  refuse_other_streams(program, folder);
  std::vector<std::string> names = {kArenaFile, kProgramFile};
  for (const StreamSteps stream : streams_of(program))
    names.push_back(stream_file(program, stream).name);
  for (const std::string& name : names) refuse_input(folder / name);  // before the first is written
  std::vector<uint8_t> arena = program.arena_image;
  arena.resize(program.arena_bytes);
  write_file(folder / kArenaFile, arena);
  auto instructions = streams.begin();
  for (const StreamSteps stream : streams_of(program))
    write_file(folder / stream_file(program, stream).name, isa::bytes_of(*instructions++));
  write_file(folder / kProgramFile, program_json(program, base_bytes).dump(2) + "\n");
}

}  // namespace vta::sim
