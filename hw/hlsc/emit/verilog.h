// SPDX-License-Identifier: Apache-2.0
//
// SystemVerilog of a scheduled design: a module for each process, and a top that connects them with
// the FIFOs and RAMs of hw/rtl.
//
// Ports, all synchronous to `clk`, with `rst` active high:
//   stream S, read by the module      input [W-1:0] S_data, input S_empty, output S_pop
//   stream S, written by it           output [W-1:0] S_data, input S_full, output S_push
//                                     (no S_data where W is 0: tokens)
//   RAM M, read by a process          output M_re, [A-1:0] M_ra; input [W-1:0] M_rq
//   RAM M, written by it              output [lanes-1:0] M_we, [A-1:0] M_wa, [W-1:0] M_wd
//     rq is the word in the cycle after re. Where processes share a port (bind/ram_ports.h), M_rreq
//     and M_wreq ask for it without regard to the grant, M_rgnt and M_wgnt give it.
//   register R                        output [W-1:0] R
//   input I                           input [W-1:0] I
//   read port P                       requests as a written stream P_request (48 bits: address 32,
//                                     beats 16), beats as a read stream P_beat (64 bits)
//   write port P                      written streams P_request and P_beat; input P_idle: every
//                                     write so far has its response
// The top has the streams that lead outside as the same ports (a stream without a writer is read,
// one without a reader written by the top), all registers and inputs; <process>_waits_<object> is 1
// while the process stands still because of the object, <process>_ended from a halt on,
// <tokens>_count is what is in a queue of tokens. Of each DRAM port the top has the streams
// above, or an AXI master (hw/rtl/hls_axi_read.sv, hls_axi_write.sv) whose signals are named
// P_arvalid and so on, and P_error, which stays 1 after a response that is not OKAY.
#ifndef VTA_HW_HLSC_EMIT_VERILOG_H_
#define VTA_HW_HLSC_EMIT_VERILOG_H_

#include <string>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

enum class DramPorts : uint8_t { kStreams, kAxi };

// One file: the process modules, named <design>_<process>, then the top, named as the design.
// Needs the modules of hw/rtl beside it. Names that clash with others get an underscore (names.h).
std::string verilog(const ir::Design& design, const schedule::Schedule& schedule,
                    const bind::Binding& binding, DramPorts dram_ports = DramPorts::kStreams);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_VERILOG_H_
