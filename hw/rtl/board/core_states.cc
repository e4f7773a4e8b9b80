// SPDX-License-Identifier: Apache-2.0
#include "hw/rtl/board/core_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "hw/core/processes.h"
#include "hw/registers/stage_cycles.h"

namespace vta::board {
namespace {

using core::Process;

constexpr size_t kMaxColumns = 100;

// The states that processes.def gives to waits, in the order of the function `state` below.
enum class State { instruction, token, memory, port, queue };

// An input of the module.
struct Input {
  Process process;
  std::string name;
  State state;
};

const std::vector<Input>& inputs() {
  static const std::vector<Input> all = {
#define VTA_END(process) {core::kProcess_##process, #process "_ended", State::instruction},
#define VTA_WAIT(process, channel, state, for_space) \
  {core::kProcess_##process, #process "_waits_" #channel, State::state},
#include "hw/core/processes.def"
  };
  return all;
}

std::vector<std::string> inputs_of(Process process, auto&& is_wanted) {
  std::vector<std::string> names;
  for (const Input& input : inputs()) {
    if (input.process == process && is_wanted(input.state)) names.push_back(input.name);
  }
  return names;
}

// `head`, then the names with `operation` between them, then `tail`; in lines of at most
// kMaxColumns, those after the first with `indent` blanks.
std::string wrapped(std::string head, const std::vector<std::string>& names,
                    std::string_view operation, std::string_view tail, size_t indent) {
  std::vector<std::string> words;
  for (const std::string& name : names) {
    if (!words.empty()) words.emplace_back(operation);
    words.push_back(name);
  }
  words.back() += tail;
  std::string text, line = std::move(head);
  const size_t first = line.find_first_not_of(' ');
  bool is_start = first == std::string::npos;  // only blanks so far
  for (const std::string& word : words) {
    if (!is_start && line.size() + 1 + word.size() > kMaxColumns) {
      text += line + "\n";
      line = std::string(indent, ' ');
      is_start = true;
    }
    line += (is_start ? "" : " ") + word;
    is_start = false;
  }
  return text + line + "\n";
}

std::string header() {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "//\n"
      "// The waits of the core's processes as states of its stages (one-hot, by the state's "
      "number),\n"
      "// and as one bit: no process moves. Generated from hw/core/processes.def: `board_verilog "
      "states`.\n"
      "module vta_core_states (\n";
  for (const Input& input : inputs())
    text += fmt::format("    input  wire       {},\n", input.name);
  text += "    output wire       still";
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage)
    text += fmt::format(",\n    output wire [5:0] {}_state", hw::kStageNames[stage]);
  return text + "\n);\n";
}

constexpr std::string_view kFunctions =
    R"(  function automatic [5:0] state(input idle, input token, input memory, input port_, input queue);
    state = '0;
    if (idle) state[vta_registers_pkg::STATE_IDLE] = 1'b1;
    else if (token) state[vta_registers_pkg::STATE_WAIT_TOKEN] = 1'b1;
    else if (memory) state[vta_registers_pkg::STATE_WAIT_MEMORY] = 1'b1;
    else if (port_) state[vta_registers_pkg::STATE_WAIT_PORT] = 1'b1;
    else if (queue) state[vta_registers_pkg::STATE_WAIT_QUEUE] = 1'b1;
    else state[vta_registers_pkg::STATE_BUSY] = 1'b1;
  endfunction

  // The state of a stage with two processes, of which `mover` moves the data.
  function automatic [5:0] both(input [5:0] first, input [5:0] mover);
    both = first[vta_registers_pkg::STATE_BUSY] | mover[vta_registers_pkg::STATE_IDLE] ? first :
        mover;
  endfunction

)";

// The state of one process, as the net that `declaration` declares or assigns.
std::string process_state(Process process, const std::string& declaration) {
  std::string text = fmt::format("  {} = state(\n", declaration);
  for (const State state :
       {State::instruction, State::token, State::memory, State::port, State::queue}) {
    std::vector<std::string> names = inputs_of(process, [&](State of) { return of == state; });
    if (names.empty()) names = {"1'b0"};
    text += wrapped("      ", names, "|", state == State::queue ? "" : ",", 10);
  }
  return text + "  );\n";
}

std::string states() {
  std::string text, stages_of_two;
  size_t longest = 0;
  const auto has_two = [](const core::StageProcesses& of) { return of.first != of.mover; };
  const auto of_stage = [](size_t stage) { return core::processes_of(hw::kStageNames[stage]); };
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    if (has_two(of_stage(stage)))
      longest = std::max(longest, std::string_view(hw::kStageNames[stage]).size());
  }
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    const core::StageProcesses of = of_stage(stage);
    const std::string net = fmt::format("{}_state", hw::kStageNames[stage]);
    if (!has_two(of)) {
      text += process_state(of.mover, "assign " + net);
      continue;
    }
    for (const Process process : {of.first, of.mover})
      text +=
          process_state(process, fmt::format("wire [5:0] {}_state", core::kProcessNames[process]));
    stages_of_two += fmt::format("  assign {:{}} = both({}_state, {}_state);\n", net,
                                 longest + std::string_view("_state").size(),
                                 core::kProcessNames[of.first], core::kProcessNames[of.mover]);
  }
  return text + stages_of_two;
}

std::string stillness() {
  std::string text =
      "\n  // A process that waits for a port of a scratchpad gets it from one that moves.\n";
  std::vector<std::string> all;
  for (int i = 0; i < core::kNumProcesses; ++i) {
    const std::string net = fmt::format("{}_still", core::kProcessNames[i]);
    const std::vector<std::string> waits =
        inputs_of(static_cast<Process>(i), [](State state) { return state != State::port; });
    text += wrapped(fmt::format("  wire {} =", net), waits, "|", ";", 6);
    all.push_back(net);
  }
  return text + wrapped("  assign still =", all, "&", ";", 6);
}

}  // namespace

std::string core_states_module() {
  return header() + std::string(kFunctions) + states() + stillness() + "endmodule\n";
}

}  // namespace vta::board
