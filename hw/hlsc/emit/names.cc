// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/names.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace vta::hlsc::emit {
namespace {

// IEEE 1800-2017, annex B; a blank on both sides of each.
constexpr std::string_view kKeywords =
    " accept_on alias always always_comb always_ff always_latch and assert assign assume"
    " automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex"
    " casez cell chandle checker class clocking cmos config const constraint context"
    " continue cover covergroup coverpoint cross deassign default defparam design disable"
    " dist do edge else end endcase endchecker endclass endclocking endconfig endfunction"
    " endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram"
    " endproperty endspecify endsequence endtable endtask enum event eventually expect"
    " export extends extern final first_match for force foreach forever fork forkjoin"
    " function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins"
    " implements implies import incdir include initial inout input inside instance int"
    " integer interconnect interface intersect join join_any join_none large let liblist"
    " library local localparam logic longint macromodule matches medium modport module nand"
    " negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output"
    " package packed parameter pmos posedge primitive priority program property protected"
    " pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc"
    " randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict"
    " return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until"
    " s_until_with scalared sequence shortint shortreal showcancelled signed small soft"
    " solve specify specparam static string strong strong0 strong1 struct super supply0"
    " supply1 sync_accept_on sync_reject_on table tagged task this throughout time"
    " timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type"
    " typedef union unique unique0 unsigned until until_with untyped use uwire var vectored"
    " virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor"
    " xnor xor ";

bool is_keyword(std::string_view name) {
  return kKeywords.find(" " + std::string(name) + " ") != std::string_view::npos;
}

// In every module: module_state.h, state_machine.h.
bool is_of_modules(std::string_view name) {
  for (std::string_view own : {"clk", "rst", "hls_state", "S_END", "ended"}) {
    if (name == own) return true;
  }
  return name.size() > 1 && name[0] == 'S' && std::all_of(name.begin() + 1, name.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

std::string legal_name(const std::string& name) {
  // Underscores of the name's own do not make it another's.
  const std::string_view base(name.data(), name.find_last_not_of('_') + 1);
  return is_keyword(base) || is_of_modules(base) ? name + "_" : name;
}

std::string signal_name(const ir::Object& object) {
  const bool alone =
      object.kind == ir::ObjectKind::kRegister || object.kind == ir::ObjectKind::kInput;
  return alone ? legal_name(object.name) : object.name;
}

}  // namespace vta::hlsc::emit
