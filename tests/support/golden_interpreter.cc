// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden_interpreter.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "base/numbers/random.h"
#include "tests/support/golden_instruction.h"
#include "tests/support/golden_machine.h"

namespace vta::support {
namespace {

constexpr uint64_t kInstructionBytes = 16;

void join(GoldenClock& clock, const GoldenClock& other) {
  for (int i = 0; i < kNumGoldenStages; ++i) clock[i] = std::max(clock[i], other[i]);
}

// An instruction dispatched by fetch.
struct Issued {
  GoldenInstruction in;
  // Fetch's order of plain and split instructions: the instructions that must be complete before
  // this one starts.
  std::vector<uint32_t> after;
  bool complete = false;
  GoldenClock clock{};  // of its stage at its completion
};

struct Stage {
  std::deque<uint32_t> queue;
  std::optional<uint32_t> current;
  bool started = false;  // fetch's order is satisfied
  bool worked = false;
  size_t num_popped = 0;
  size_t num_pushed = 0;
  bool ended = false;  // by a fault
  GoldenClock clock{};
};

class Interpreter {
 public:
  Interpreter(const CoreConfig& config, std::span<uint8_t> arena, uint64_t program_offset_bytes,
              uint32_t count, const GoldenOptions& options)
      : config_(config),
        program_(arena.subspan(program_offset_bytes, count * kInstructionBytes)),
        machine_(config, arena, program_offset_bytes, count, options.max_micro_ops),
        issued_(count),
        random_(options.schedule_seed),
        seed_(options.schedule_seed),
        compute_queue_depth_(options.compute_queue_depth == 0 ? config.command_queue_depth
                                                              : options.compute_queue_depth) {}

  GoldenResult run();

 private:
  // One action of fetch (agent 0) or of a stage (agent 1 + stage); false if it is blocked.
  bool act(int agent) {
    return agent == 0 ? act_as_fetch() : act_as_stage(static_cast<GoldenStage>(agent - 1));
  }
  static constexpr int kNumAgents = 1 + kNumGoldenStages;

  void run_until_nothing_moves();
  bool act_as_fetch();
  bool find_fetch_fault(const GoldenInstruction& in);
  void order_with_other_kind(uint32_t index);
  bool act_as_stage(GoldenStage id);
  bool start(Stage& stage);
  bool pop(Stage& stage, GoldenQueue queue);
  bool push(Stage& stage, GoldenQueue queue);
  void work(Stage& stage, GoldenStage id);
  void complete(Stage& stage);
  void raise(isa::FaultCode code, uint32_t index, uint64_t value);
  void find_final_fault();
  std::optional<uint32_t> lowest_waiting() const;
  std::vector<std::string> describe_waits() const;

  Stage& stage_of(GoldenStage id) { return stages_[static_cast<int>(id)]; }
  uint32_t queue_depth(GoldenStage id) const {
    const bool transfers = id == GoldenStage::kLoad || id == GoldenStage::kStore;
    return transfers ? config_.command_queue_depth : compute_queue_depth_;
  }
  uint32_t count() const { return static_cast<uint32_t>(issued_.size()); }

  const CoreConfig config_;
  std::span<const uint8_t> program_;
  GoldenMachine machine_;
  std::vector<Issued> issued_;
  Random random_;
  uint64_t seed_;
  uint32_t compute_queue_depth_;

  std::array<Stage, kNumGoldenStages> stages_;
  std::array<std::deque<GoldenClock>, kNumGoldenQueues> tokens_;

  uint32_t next_fetch_ = 0;
  bool fetch_ended_ = false;
  std::optional<uint32_t> last_plain_, last_gemm_, last_alu_;
  int64_t gemm_to_alu_tokens_ = 0;  // in program order: pushes minus pops
  int64_t alu_to_gemm_tokens_ = 0;

  std::optional<uint32_t> finish_index_;  // set when FINISH has run
  std::optional<GoldenFault> fault_;
};

GoldenResult Interpreter::run() {
  GoldenResult result;
  try {
    run_until_nothing_moves();
  } catch (const GoldenMachine::TooLong&) {
    result.gave_up = true;
    return result;
  }
  find_final_fault();
  result.fault = fault_;
  result.counters = machine_.counters();
  result.race = machine_.log().first_race();
  result.unwritten_read = machine_.log().first_unwritten_read();
  result.waits = describe_waits();
  return result;
}

void Interpreter::run_until_nothing_moves() {
  std::array<int, kNumAgents> order;
  for (int i = 0; i < kNumAgents; ++i) order[i] = i;
  const auto shuffle = [&] {
    for (int i = kNumAgents - 1; i > 0; --i) std::swap(order[i], order[random_.between(0, i)]);
  };
  // Odd seeds: one priority order for the whole run, so that some stages lag as far as possible.
  // Even seeds: a new order for each action.
  if (seed_ != 0) shuffle();
  bool moved = true;
  while (moved) {
    if (seed_ != 0 && seed_ % 2 == 0) shuffle();
    moved = std::any_of(order.begin(), order.end(), [&](int agent) { return act(agent); });
  }
}

bool Interpreter::act_as_fetch() {
  if (fetch_ended_) return false;
  if (next_fetch_ == count()) {
    raise(isa::kNoFinish, next_fetch_, 0);
    fetch_ended_ = true;
    return true;
  }
  GoldenInstruction in =
      decode_golden(program_.subspan(next_fetch_ * kInstructionBytes, kInstructionBytes), config_);
  if (find_fetch_fault(in)) return true;
  Stage& stage = stage_of(in.stage);
  if (stage.queue.size() >= queue_depth(in.stage)) return false;

  const uint32_t index = next_fetch_++;
  const bool finish = in.is_finish();
  issued_[index].in = std::move(in);
  order_with_other_kind(index);
  stage.queue.push_back(index);
  if (finish) {
    if (next_fetch_ < count()) raise(isa::kAfterFinish, next_fetch_, 0);
    fetch_ended_ = true;
  }
  return true;
}

// Plain compute instructions and FINISH must not follow unconsumed tokens between gemm and alu.
bool Interpreter::find_fetch_fault(const GoldenInstruction& in) {
  if (in.stage != GoldenStage::kCompute) return false;
  if (gemm_to_alu_tokens_ == 0 && alu_to_gemm_tokens_ == 0) return false;
  const int64_t left = std::abs(gemm_to_alu_tokens_) + std::abs(alu_to_gemm_tokens_);
  raise(isa::kTokensAtChange, next_fetch_, static_cast<uint64_t>(left));
  fetch_ended_ = true;
  return true;
}

void Interpreter::order_with_other_kind(uint32_t index) {
  Issued& issued = issued_[index];
  const auto count_tokens = [](const std::vector<GoldenQueue>& queues, GoldenQueue queue) {
    return std::count(queues.begin(), queues.end(), queue);
  };
  const GoldenInstruction& in = issued.in;
  switch (in.stage) {
    case GoldenStage::kCompute:
      if (last_gemm_) issued.after.push_back(*last_gemm_);
      if (last_alu_) issued.after.push_back(*last_alu_);
      last_plain_ = index;
      return;
    case GoldenStage::kGemm:
    case GoldenStage::kAlu:
      if (last_plain_) issued.after.push_back(*last_plain_);
      (in.stage == GoldenStage::kGemm ? last_gemm_ : last_alu_) = index;
      gemm_to_alu_tokens_ += count_tokens(in.pushes, GoldenQueue::kGemmToAlu) -
                             count_tokens(in.pops, GoldenQueue::kGemmToAlu);
      alu_to_gemm_tokens_ += count_tokens(in.pushes, GoldenQueue::kAluToGemm) -
                             count_tokens(in.pops, GoldenQueue::kAluToGemm);
      return;
    default:
      return;
  }
}

bool Interpreter::act_as_stage(GoldenStage id) {
  Stage& stage = stage_of(id);
  if (stage.ended) return false;
  if (!stage.current) {
    if (stage.queue.empty()) return false;
    stage.current = stage.queue.front();
    stage.queue.pop_front();
    stage.started = stage.worked = false;
    stage.num_popped = stage.num_pushed = 0;
    return true;
  }
  const GoldenInstruction& in = issued_[*stage.current].in;
  if (!stage.started) return start(stage);
  if (stage.num_popped < in.pops.size()) return pop(stage, in.pops[stage.num_popped]);
  if (!stage.worked) {
    work(stage, id);
    return true;
  }
  if (stage.num_pushed < in.pushes.size()) return push(stage, in.pushes[stage.num_pushed]);
  complete(stage);
  return true;
}

bool Interpreter::start(Stage& stage) {
  for (uint32_t earlier : issued_[*stage.current].after) {
    if (!issued_[earlier].complete) return false;
  }
  for (uint32_t earlier : issued_[*stage.current].after) join(stage.clock, issued_[earlier].clock);
  stage.started = true;
  return true;
}

bool Interpreter::pop(Stage& stage, GoldenQueue queue) {
  auto& tokens = tokens_[static_cast<int>(queue)];
  if (tokens.empty()) return false;
  join(stage.clock, tokens.front());
  tokens.pop_front();
  ++stage.num_popped;
  return true;
}

bool Interpreter::push(Stage& stage, GoldenQueue queue) {
  auto& tokens = tokens_[static_cast<int>(queue)];
  if (tokens.size() >= config_.token_queue_depth) return false;
  tokens.push_back(stage.clock);
  ++stage.num_pushed;
  return true;
}

void Interpreter::work(Stage& stage, GoldenStage id) {
  ++stage.clock[static_cast<int>(id)];
  machine_.log().begin_instruction(*stage.current, id, stage.clock);
  stage.worked = true;
  if (const auto cause = machine_.execute(issued_[*stage.current].in)) {
    raise(cause->code, *stage.current, cause->value);
    stage.ended = true;
  }
}

void Interpreter::complete(Stage& stage) {
  Issued& issued = issued_[*stage.current];
  issued.complete = true;
  issued.clock = stage.clock;
  if (issued.in.is_finish()) finish_index_ = *stage.current;
  stage.current.reset();
}

void Interpreter::raise(isa::FaultCode code, uint32_t index, uint64_t value) {
  if (!fault_ || index < fault_->index) fault_ = GoldenFault{code, index, value};
}

// Faults of the whole program, checked when all agents are blocked.
void Interpreter::find_final_fault() {
  const std::optional<uint32_t> waiting = lowest_waiting();
  if (waiting) {
    if (!fault_) raise(isa::kDeadlock, *waiting, 0);
    return;
  }
  if (!finish_index_) return;
  uint64_t left = 0;
  for (const auto& tokens : tokens_) left += tokens.size();
  if (left > 0) raise(isa::kTokensLeft, *finish_index_, left);
}

std::optional<uint32_t> Interpreter::lowest_waiting() const {
  std::optional<uint32_t> lowest;
  const auto consider = [&](uint32_t index) { lowest = std::min(lowest.value_or(index), index); };
  for (const Stage& stage : stages_) {
    if (!stage.ended && stage.current) consider(*stage.current);
  }
  if (!fetch_ended_) consider(next_fetch_);
  return lowest;
}

std::vector<std::string> Interpreter::describe_waits() const {
  std::vector<std::string> waits;
  for (int id = 0; id < kNumGoldenStages; ++id) {
    const Stage& stage = stages_[id];
    if (stage.ended || !stage.current) continue;
    const GoldenInstruction& in = issued_[*stage.current].in;
    std::string what = "the order of plain and split instructions";
    if (stage.worked) {
      what = fmt::format("space in {}", to_string(in.pushes[stage.num_pushed]));
    } else if (stage.started) {
      what = fmt::format("a token of {}", to_string(in.pops[stage.num_popped]));
    }
    waits.push_back(fmt::format("{}: instruction {} waits for {}",
                                to_string(static_cast<GoldenStage>(id)), *stage.current, what));
  }
  if (!fetch_ended_)
    waits.push_back(fmt::format("fetch: instruction {} waits for a queue", next_fetch_));
  return waits;
}

}  // namespace

GoldenResult run_golden(const CoreConfig& config, std::span<uint8_t> arena,
                        uint64_t program_offset_bytes, uint32_t count,
                        const GoldenOptions& options) {
  VTA_ASSERT(program_offset_bytes <= arena.size() &&
                 count <= (arena.size() - program_offset_bytes) / kInstructionBytes,
             "the program is inside the arena");
  return Interpreter(config, arena, program_offset_bytes, count, options).run();
}

}  // namespace vta::support
