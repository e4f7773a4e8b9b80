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
//     and M_wreq request it independently of the grant, M_rgnt and M_wgnt grant it.
//   register R                        output [W-1:0] R
//   input I                           input [W-1:0] I
//   read port P                       requests as a written stream P_request (48 bits: address 32,
//                                     beats 16), beats as a read stream P_beat (64 bits)
//   write port P                      written streams P_request and P_beat; input P_idle: every
//                                     write so far has its response
// The top has the same ports for external streams (one without a writer is read by the top, one
// without a reader written), for all registers and for all inputs, and
//   <process>_waits_<object>          1 while the process stalls on the object
//   <process>_ended                   1 after a halt
//   <tokens>_count                    the tokens in a queue
//   DRAM port P                       the streams above, or an AXI master (hw/rtl/hls_axi_read.sv,
//                                     hls_axi_write.sv) with signals P_arvalid and so on, and
//                                     P_error, which stays 1 after a response that is not OKAY
#ifndef VTA_HW_HLSC_EMIT_VERILOG_H_
#define VTA_HW_HLSC_EMIT_VERILOG_H_

#include <string>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/rtl/module.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::emit {

enum class DramPorts : uint8_t { kStreams, kAxi };

// One file: the process modules, named <design>_<process>, then the top, named as the design, then
// RAMs with initial contents. It instantiates the modules of hw/rtl. Names that clash with others
// get an underscore (names.h).
std::string verilog(const ir::Design& design, const schedule::Schedule& schedule,
                    const bind::Binding& binding, DramPorts dram_ports = DramPorts::kStreams);

// Its modules, before they are printed.
rtl::File modules(const ir::Design& design, const schedule::Schedule& schedule,
                  const bind::Binding& binding, DramPorts dram_ports = DramPorts::kStreams);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_VERILOG_H_
