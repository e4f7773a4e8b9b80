// SPDX-License-Identifier: Apache-2.0
//
// Fetch: reads the program, sends each instruction to the queue of its stage, and maintains the
// order that a program may rely on without tokens.
//
// Plain (VTA) programs have a single compute stage; gemm and alu are its two halves. A baton marks
// the half that may execute. To move the baton, fetch sends the old half a carrier that pushes a
// token, and the next command of the new half pops it. Compute instructions of plain programs
// therefore execute strictly one after another. Tokens between VTA's compute and load are handled
// by gemm, tokens between compute and store by alu. If an instruction of one half needs a token of
// the other half, the baton moves there for a carrier. With its carriers an instruction takes up to
// three entries of a command queue.
//
// Instructions with the split bit go directly to their stage. At a change between plain and split,
// and before FINISH, a barrier of carriers synchronizes both halves.
#ifndef VTA_HW_CORE_FETCH_H_
#define VTA_HW_CORE_FETCH_H_

#include "hw/core/core.h"
#include "hw/core/memory_access.h"

namespace vta {
namespace core {

enum Mode : uint8_t { kFresh, kPlain, kSplit };

// The state of fetch between instructions.
template <class P>
struct Core<P>::Order {
  uint8_t mode;
  bool baton_at_alu;   // for plain instructions: alu may execute, else gemm
  bool pop_hand_over;  // the next command of the half with the baton pops its token
  int32_t gemm_to_alu_tokens,
      alu_to_gemm_tokens;  // pushes minus pops of split instructions, in program order
  bool finish_seen;
  Fault fault;
};

// The fields that fetch writes; they are in the same place in every format.
template <class P>
struct CommandBits {
  static constexpr int kMemoryLsb = Sizes<P>::field(isa::kMemory_memory).lsb;
  static constexpr uint64_t kPopPrev = isa::placed(1, Sizes<P>::field(isa::kMemory_pop_prev));
  static constexpr uint64_t kPopNext = isa::placed(1, Sizes<P>::field(isa::kMemory_pop_next));
  static constexpr uint64_t kPushPrev = isa::placed(1, Sizes<P>::field(isa::kMemory_push_prev));
  static constexpr uint64_t kPushNext = isa::placed(1, Sizes<P>::field(isa::kMemory_push_next));
};

template <class P>
inline Command with_tokens(const Command& command, bool pop_prev, bool pop_next, bool push_prev,
                           bool push_next) {
  typedef CommandBits<P> B;
  Command result = command;
  result.lo = (command.lo & ~(B::kPopPrev | B::kPopNext | B::kPushPrev | B::kPushNext)) |
              (pop_prev ? B::kPopPrev : 0) | (pop_next ? B::kPopNext : 0) |
              (push_prev ? B::kPushPrev : 0) | (push_next ? B::kPushNext : 0);
  return result;
}

// A LOAD of size 0; `memory` selects gemm or alu. It has the index of the instruction that it
// serves.
template <class P>
inline Command carrier(uint8_t memory, uint32_t index) {
  static_assert(Sizes<P>::field(isa::kMemory_opcode).lsb == 0, "the opcode is the lowest field");
  return Command{static_cast<uint64_t>(isa::kLoad) |
                     (static_cast<uint64_t>(memory) << CommandBits<P>::kMemoryLsb),
                 0, index};
}

inline uint64_t magnitude(int32_t tokens) {
  return static_cast<uint64_t>(tokens < 0 ? -tokens : tokens);
}

template <class P>
void Core<P>::fetch_request() {
  for (;;) {
    const RunCommand run = run_request.read();
    RowPlan plan;
    plan.address = dram_base_bytes + run.address;
    plan.row_bytes = run.count * isa::kInstructionBytes;
    plan.stride_bytes = 0;
    plan.rows = run.count != 0;
    request_rows(fetch_port, plan);
  }
}

template <class P>
void Core<P>::fetch() {
  for (;;) {
    const RunCommand run = run_fetch.read();
    Order order = {kFresh, false, false, 0, 0, false, {isa::kNoFault, 0}};
    uint32_t index = 0;
    while ((index < run.count) & !order.finish_seen & (order.fault.code == isa::kNoFault)) {
      Command command;
      command.lo = fetch_port.read();
      command.hi = fetch_port.read();
      command.index = index;
      fetch_status.busy = true;
      fetch_status.index = index;
      route(order, command);
      if (order.fault.code == isa::kNoFault) index++;
    }
    if (order.fault.code == isa::kNoFault) {
      if (!order.finish_seen) order.fault.code = isa::kNoFinish;
      if (order.finish_seen & (index < run.count)) order.fault.code = isa::kAfterFinish;
    }
    if (order.fault.code != isa::kNoFault) {
      fetch_status.fault = static_cast<uint8_t>(order.fault.code);
      fetch_status.index = index;
      fetch_status.value = order.fault.value;
      hls::halt();
    }
    fetch_status.busy = false;
  }
}

template <class P>
void Core<P>::route(Order& order, const Command& command) {
  const uint32_t opcode = get<P, isa::kMemory_opcode>(command);
  const uint32_t memory = get<P, isa::kMemory_memory>(command);
  const bool load = opcode == isa::kLoad;
  if (load & ((memory == isa::kInp) | (memory == isa::kWgt))) {
    load_queue.write(command);
    return;
  }
  if (opcode == isa::kStore) {
    store_queue.write(command);
    return;
  }
  const bool gemm_load = load & (memory == isa::kUop);
  const bool alu_load = load & ((memory == isa::kAcc) | (memory == isa::kAcc8Bit));
  const bool compute = (opcode == isa::kGemm) | (opcode == isa::kAlu);
  const bool split_bit = (((gemm_load | alu_load) & ((command.lo >> isa::kSplitBit_Memory) & 1)) |
                          (compute & ((command.lo >> isa::kSplitBit_Gemm) & 1))) != 0;
  const bool split = has_extension & split_bit;
  const bool finish = opcode == isa::kFinish;
  const bool to_gemm = (opcode == isa::kGemm) | gemm_load | finish;

  if ((!split) & ((order.gemm_to_alu_tokens != 0) | (order.alu_to_gemm_tokens != 0))) {
    order.fault.code = isa::kTokensAtChange;
    order.fault.value = magnitude(order.gemm_to_alu_tokens) + magnitude(order.alu_to_gemm_tokens);
    return;
  }
  const uint8_t mode = split ? kSplit : kPlain;
  if ((order.mode != kFresh) & (order.mode != mode)) barrier(order, command.index);
  order.mode = mode;

  if (!split) {
    route_plain(order, command, to_gemm);
    order.finish_seen = finish;
    return;
  }
  const int32_t pop_prev = get<P, isa::kMemory_pop_prev>(command),
                pop_next = get<P, isa::kMemory_pop_next>(command);
  const int32_t push_prev = get<P, isa::kMemory_push_prev>(command),
                push_next = get<P, isa::kMemory_push_next>(command);
  if (to_gemm) {
    order.gemm_to_alu_tokens += push_next;
    order.alu_to_gemm_tokens -= pop_next;
    gemm_queue.write(command);
  } else {
    order.gemm_to_alu_tokens -= pop_prev;
    order.alu_to_gemm_tokens += push_prev;
    alu_queue.write(command);
  }
}

// VTA's compute stage: pop, execute, push, each in the half that has the queue.
template <class P>
void Core<P>::route_plain(Order& order, const Command& command, bool to_gemm) {
  const bool finish = get<P, isa::kMemory_opcode>(command) == isa::kFinish;
  const bool pop_load = get<P, isa::kMemory_pop_prev>(command) != 0;
  const bool pop_store = get<P, isa::kMemory_pop_next>(command) != 0;
  const bool push_load = !finish & (get<P, isa::kMemory_push_prev>(command) != 0);
  const bool push_store = !finish & (get<P, isa::kMemory_push_next>(command) != 0);
  const Command gemm_carrier = carrier<P>(isa::kUop, command.index);
  const Command alu_carrier = carrier<P>(isa::kAcc, command.index);
  if (to_gemm) {
    if (pop_store) {
      move_to_alu(order, command.index);
      send_to_alu(order, alu_carrier, true, false);
    }
    move_to_gemm(order, command.index);
    send_to_gemm(order, command, pop_load, push_load);
    if (push_store) {
      move_to_alu(order, command.index);
      send_to_alu(order, alu_carrier, false, true);
    }
  } else {
    if (pop_load) {
      move_to_gemm(order, command.index);
      send_to_gemm(order, gemm_carrier, true, false);
    }
    move_to_alu(order, command.index);
    send_to_alu(order, command, pop_store, push_store);
    if (push_load) {
      move_to_gemm(order, command.index);
      send_to_gemm(order, gemm_carrier, false, true);
    }
  }
}

// Everything before it in either half is done before anything after it in either half starts.
// Leaves the baton at gemm.
template <class P>
void Core<P>::barrier(Order& order, uint32_t index) {
  gemm_queue.write(with_tokens<P>(carrier<P>(isa::kUop, index), false, false, false, true));
  alu_queue.write(with_tokens<P>(carrier<P>(isa::kAcc, index), true, false, true, false));
  gemm_queue.write(with_tokens<P>(carrier<P>(isa::kUop, index), false, true, false, false));
  order.baton_at_alu = false;
}

template <class P>
void Core<P>::move_to_gemm(Order& order, uint32_t index) {
  if (!order.baton_at_alu) return;
  alu_queue.write(with_tokens<P>(carrier<P>(isa::kAcc, index), false, false, true, false));
  order.baton_at_alu = false;
  order.pop_hand_over = true;
}

template <class P>
void Core<P>::move_to_alu(Order& order, uint32_t index) {
  if (order.baton_at_alu) return;
  gemm_queue.write(with_tokens<P>(carrier<P>(isa::kUop, index), false, false, false, true));
  order.baton_at_alu = true;
  order.pop_hand_over = true;
}

template <class P>
void Core<P>::send_to_gemm(Order& order, const Command& command, bool pop_load, bool push_load) {
  gemm_queue.write(with_tokens<P>(command, pop_load, order.pop_hand_over, push_load, false));
  order.pop_hand_over = false;
}

template <class P>
void Core<P>::send_to_alu(Order& order, const Command& command, bool pop_store, bool push_store) {
  alu_queue.write(with_tokens<P>(command, order.pop_hand_over, pop_store, false, push_store));
  order.pop_hand_over = false;
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_FETCH_H_
