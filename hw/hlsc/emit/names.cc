// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vta::hlsc::emit {

using ir::Object;
using ir::ObjectKind;

namespace {

using Names = std::vector<std::string>;

// IEEE 1800-2017, annex B; each keyword has a blank on both sides.
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

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

// Whether a process module may use the name internally. Internal names contain, between
// underscores, the number of a state (done_S0) or of a nest (n0_level), or the number of a value or
// operation before a word (sum_12_r, m_7_new). Exceptions are the fixed names and the suffixes
// below. None ends in an underscore.
bool may_be_internal(std::string_view name) {
  if (name.ends_with('_')) return false;
  for (std::string_view own : {"clk", "rst", "hls_state", "S_END", "ended"}) {
    if (name == own) return true;
  }
  for (std::string_view own : {"_fsm_q", "_fsm_fresh", "_fsm_saved"}) {
    if (name.ends_with(own)) return true;
  }
  bool after_number = false;
  for (std::string_view rest = name; !rest.empty();) {
    const size_t end = std::min(rest.find('_'), rest.size());
    const std::string_view part = rest.substr(0, end);
    const bool number = is_number(part);
    if (after_number && !number) return true;
    if (!part.empty() && (part[0] == 'S' || (part[0] == 'n' && part != name)) &&
        is_number(part.substr(1)))
      return true;
    after_number = number;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

void append(Names& names, const std::string& base, std::initializer_list<const char*> suffixes) {
  for (const char* suffix : suffixes) names.push_back(base + suffix);
}

// The names derived from an object in process modules and in the top.
Names of_ram(const std::string& design, const std::string& name, const Object& ram,
             const Names& processes) {
  Names names;
  const auto ports = [&](const std::string& base) {
    append(names, base,
           {"_rreq", "_rgnt", "_re", "_ra", "_rq", "_wreq", "_wgnt", "_we", "_wa", "_wd"});
  };
  ports(name);
  for (const std::string& process : processes) {
    ports(process + "_" + name);
    names.push_back(process + "_" + name + "_bank");
  }
  const auto bank = [&](const std::string& base) {
    append(names, base, {"_word", "_ram", "_posted_we", "_posted_wa", "_posted_wd"});
    if (!ram.initial.empty()) names.push_back(fmt::format("{}_{}_ram", design, base));
  };
  bank(name);
  for (uint32_t i = 0; ram.banks > 1 && i < ram.banks; ++i) bank(fmt::format("{}{}", name, i));
  return names;
}

Names of_object(const std::string& design, const std::string& name, const Object& object,
                const Names& processes) {
  Names names;
  switch (object.kind) {
    case ObjectKind::kRegister:
    case ObjectKind::kInput:
      return {name};
    case ObjectKind::kRam:
      names = of_ram(design, name, object, processes);
      break;
    case ObjectKind::kStream:
      append(names, name,
             {"_data", "_empty", "_pop", "_full", "_push", "_in", "_out", "_count", "_fifo"});
      break;
    case ObjectKind::kReadPort:
      append(names, name,
             {"_request_data", "_request_full", "_request_push", "_beat_data", "_beat_empty",
              "_beat_pop", "_axi", "_arvalid", "_arready", "_araddr", "_arlen", "_rvalid",
              "_rready", "_rdata", "_rresp", "_rlast", "_error"});
      break;
    case ObjectKind::kWritePort:
      append(names, name,
             {"_request_data", "_request_full", "_request_push", "_beat_data", "_beat_full",
              "_beat_push",    "_idle",         "_axi",          "_awvalid",   "_awready",
              "_awaddr",       "_awlen",        "_wvalid",       "_wready",    "_wdata",
              "_wlast",        "_bvalid",       "_bready",       "_bresp",     "_error"});
      break;
  }
  names.push_back("waits_" + name);
  for (const std::string& process : processes) names.push_back(process + "_waits_" + name);
  return names;
}

// The object's name in a process module that has no suffix of its own.
std::string name_alone(const Object& object) {
  const bool is_port = object.kind == ObjectKind::kRegister || object.kind == ObjectKind::kInput;
  return is_port ? object.name : "waits_" + object.name;
}

// Gives out each name once, and no keyword.
class FreeNames {
 public:
  // The name with as many underscores appended as make all names derived from it free.
  template <class Derived>
  std::string take(std::string name, const Derived& derive) {
    for (;; name += '_') {
      const Names all = derive(name);
      if (std::any_of(all.begin(), all.end(), [&](const auto& one) { return is_taken(one); }))
        continue;
      taken_.insert(all.begin(), all.end());
      return name;
    }
  }

 private:
  bool is_taken(const std::string& name) const { return is_keyword(name) || taken_.contains(name); }

  std::set<std::string> taken_{"hls_axi_read", "hls_axi_write", "hls_fifo",
                               "hls_ram",      "hls_ram_tdp",   "hls_tokens"};
};

// The name with an underscore for each character that SystemVerilog does not allow in a name.
std::string in_ascii(std::string_view name) {
  std::string result;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && byte < 0xc0) continue;  // UTF-8 continuation byte
    const bool known = byte < 0x80 && (std::isalnum(byte) != 0 || (c == '$' && !result.empty()));
    result += known ? c : '_';
  }
  return result;
}

}  // namespace

ir::Design named(const ir::Design& design) {
  FreeNames names;
  ir::Design result;
  result.name =
      names.take(in_ascii(design.name), [](const std::string& name) { return Names{name}; });
  Names processes;
  for (const ir::Process& process : design.processes) {
    const std::string name = names.take(in_ascii(process.name), [&](const std::string& own) {
      return Names{result.name + "_" + own, "i_" + own, own + "_ended"};
    });
    processes.push_back(name);
    result.processes.push_back({name, process.location, process.ops, {}});
  }
  for (Object object : design.objects) {
    object.name = in_ascii(object.name);
    while (may_be_internal(name_alone(object))) object.name += '_';
    object.name = names.take(object.name, [&](const std::string& name) {
      return of_object(result.name, name, object, processes);
    });
    result.objects.push_back(std::move(object));
  }
  return result;
}

}  // namespace vta::hlsc::emit
