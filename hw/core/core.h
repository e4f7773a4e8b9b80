// SPDX-License-Identifier: Apache-2.0
//
// The core: ten communicating processes, written once. The native build is the functional
// simulator; hlsc compiles the same source to hardware and to its cycle model.
//
// clang-format off
//
//   fetch_request ~ fetch_port ~> fetch
//                                   |
//       +-----------------+---------+-------+-----------------+
//       v                 v                 v                 v
//   load_queue        gemm_queue        alu_queue         store_queue
//       |                 |                 |                 |
//   load_request        gemm              alu             store_read
//       ~ load_port       ^ ~ uop_port      ^ ~ acc_port      |
//       v                 | uop_request     | acc_request     v
//   load_data                                             store_write ~ store_port
//
//   DRAM -> INP, WGT   INP, WGT -> ACC, OUT   ACC -> ACC, OUT   OUT -> DRAM
//
//   ->  instructions and data      ~  bursts of DRAM
//   Not drawn: run requests, tokens, and the plans that one process of a stage sends to the other
//   (load_plan, uop_plan, acc_plan, store_plan).
//
// clang-format on
//
// Requests run ahead of data, so that the number of bursts in flight hides the latency of DRAM.
// Token queues connect adjacent stages (load, gemm, alu, store) in both directions. RAM ports: ACC
// is two banks, each with one read and one write port; gemm and alu share them, the write port of
// OUT and the read port of UOP. gemm has priority. INP and WGT have one writer and one reader.
#ifndef VTA_HW_CORE_CORE_H_
#define VTA_HW_CORE_CORE_H_

#include "hw/core/observer.h"
#include "hw/core/types.h"
#include "hw/hls/burst.h"
#include "hw/hls/lane.h"
#include "hw/hls/pragma.h"
#include "hw/hls/stream.h"

namespace vta {
namespace core {

template <class P>
struct Core {
  typedef Sizes<P> S;

  // Control registers.
  HLS_INPUT(bool, has_extension);        // accepts split and REQ
  HLS_INPUT(uint32_t, dram_base_bytes);  // added to every address
  HLS_INPUT(uint64_t, dram_size_bytes);  // accesses beyond it are faults
  HLS_STREAM(RunCommand, run_request, 1);
  HLS_STREAM(RunCommand, run_fetch, 1);

  // Status and counters, read by the control registers.
  HLS_REGISTER(StageStatus, fetch_status);
  HLS_REGISTER(StageStatus, load_status);
  HLS_REGISTER(StageStatus, load_data_status);
  HLS_REGISTER(StageStatus, gemm_status);
  HLS_REGISTER(StageStatus, alu_status);
  HLS_REGISTER(StageStatus, store_status);
  HLS_REGISTER(StageStatus, store_write_status);
  HLS_REGISTER(bool, finished);  // FINISH has run
  HLS_REGISTER(uint32_t, finish_index);
  HLS_REGISTER(uint64_t, inp_load_nbytes);
  HLS_REGISTER(uint64_t, wgt_load_nbytes);
  HLS_REGISTER(uint64_t, uop_load_nbytes);
  HLS_REGISTER(uint64_t, acc_load_nbytes);
  HLS_REGISTER(uint64_t, out_store_nbytes);
  HLS_REGISTER(uint64_t, gemm_counter);
  HLS_REGISTER(uint64_t, alu_counter);

  // Scratchpads.
  HLS_RAM(uint32_t, uop, P::kUopDepth);
  HLS_INTERLEAVED_RAM(InpWord<P>, inp, P::kInpDepth, S::kInpWays, 1);
  HLS_RAM(WgtWord<P>, wgt, P::kWgtDepth);
  HLS_INTERLEAVED_RAM(AccWord<P>, acc, P::kAccDepth, P::kPixels, 2);
  HLS_RAM(OutWord<P>, out, P::kAccDepth);

  // DRAM: at least four bursts in flight for each reader. Eight also hide 40 cycles of latency with
  // short bursts, which fetch does not have.
  HLS_READ_PORT(fetch_port, 4);
  HLS_READ_PORT(load_port, 8);
  HLS_READ_PORT(uop_port, 4);
  HLS_READ_PORT(acc_port, 8);
  HLS_WRITE_PORT(store_port, 8);

  // Instructions, from fetch to the stages.
  HLS_STREAM(Command, load_queue, P::kCommandDepth);
  HLS_STREAM(Command, gemm_queue, P::kCommandDepth);
  HLS_STREAM(Command, alu_queue, P::kCommandDepth);
  HLS_STREAM(Command, store_queue, P::kCommandDepth);

  // Tokens.
  HLS_TOKENS(load_to_gemm, P::kTokenDepth);
  HLS_TOKENS(gemm_to_load, P::kTokenDepth);
  HLS_TOKENS(gemm_to_alu, P::kTokenDepth);
  HLS_TOKENS(alu_to_gemm, P::kTokenDepth);
  HLS_TOKENS(alu_to_store, P::kTokenDepth);
  HLS_TOKENS(store_to_alu, P::kTokenDepth);

  // Within the stages.
  HLS_STREAM(LoadPlan, load_plan, 4);
  HLS_STREAM(RowPlan, uop_plan, 4);
  HLS_STREAM(RowPlan, acc_plan, 4);
  HLS_STREAM(StorePlan, store_plan, 4);
  HLS_STREAM(uint64_t, store_beats, 64);

  // The accumulator that gemm works on; written to ACC (and OUT) when another one replaces it.
  // With pixel pairs one of each RAM of ACC, by the lowest bit of the index.
  HLS_REGISTER(AccWord<P>, held[P::kPixels]);
  HLS_REGISTER(uint32_t, held_index[P::kPixels]);
  HLS_REGISTER(bool, held_valid[P::kPixels]);
  HLS_REGISTER(Fault, gemm_fault);
  HLS_REGISTER(uint64_t, uop_beat);  // two micro-ops
  // The source word that alu read last: a bias is the source of many consecutive micro-ops.
  HLS_REGISTER(AccWord<P>, source);
  HLS_REGISTER(uint32_t, source_index);
  HLS_REGISTER(bool, source_valid);
  HLS_REGISTER(Fault, alu_fault);

  HLS_NATIVE_ONLY(Observer* observer = nullptr;)
  HLS_NATIVE_ONLY(virtual ~Core() = default;)

  // fetch.h
  HLS_PROCESS fetch_request();
  HLS_PROCESS fetch();
  // load.h
  HLS_PROCESS load_request();
  HLS_PROCESS load_data();
  // gemm.h
  HLS_PROCESS uop_request();
  HLS_PROCESS gemm();
  // alu.h
  HLS_PROCESS acc_request();
  HLS_PROCESS alu();
  // store.h
  HLS_PROCESS store_read();
  HLS_PROCESS store_write();

 protected:
  // What a derived class may do at once, instead of the loops of load_data, store_read and
  // store_write. True if it has. Hooks, because functions would rename the Verilog's nets.
  HLS_NATIVE_ONLY(virtual bool has_loaded(const LoadPlan&) { return false; })
  HLS_NATIVE_ONLY(virtual bool has_read(const Command&, const StorePlan&) { return false; })
  HLS_NATIVE_ONLY(virtual bool has_sent(const StorePlan&) { return false; })

  // fetch.h
  struct Order;
  HLS_MEMBER void route(Order& order, const Command& command);
  HLS_MEMBER void route_plain(Order& order, const Command& command, bool to_gemm);
  HLS_MEMBER void barrier(Order& order, uint32_t index);
  HLS_MEMBER void move_to_gemm(Order& order, uint32_t index);
  HLS_MEMBER void move_to_alu(Order& order, uint32_t index);
  HLS_MEMBER void send_to_gemm(Order& order, const Command& command, bool pop_load, bool push_load);
  HLS_MEMBER void send_to_alu(Order& order, const Command& command, bool pop_store,
                              bool push_store);

  // gemm.h
  HLS_MEMBER Fault load_uops(const Command& command);
  HLS_REPLACEABLE Fault multiply(const Command& command);
  template <uint32_t pixel>
  HLS_MEMBER void put_held(bool writes_out);
  HLS_MEMBER void accumulate(const GemmMode& mode, const GemmIndices& first,
                             const GemmIndices& last, uint32_t w);

  // alu.h
  HLS_REPLACEABLE Fault load_accumulators(const Command& command, bool writes_out);
  HLS_REPLACEABLE Fault calculate(const Command& command);
};

}  // namespace core
}  // namespace vta

#include "hw/core/alu.h"
#include "hw/core/fetch.h"
#include "hw/core/gemm.h"
#include "hw/core/load.h"
#include "hw/core/store.h"

#endif  // VTA_HW_CORE_CORE_H_
