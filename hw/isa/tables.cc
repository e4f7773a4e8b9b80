// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/tables.h"

#include <bit>
#include <cctype>
#include <functional>
#include <span>

#include "hw/isa/field_table.h"
#include "runtime/base/error.h"

namespace vta::isa {
namespace {

using Cores = std::span<const CoreConfig>;

std::string bit_range(int first, int width) {
  if (width <= 0) return "-";
  if (width == 1) return fmt::format("{}", first);
  return fmt::format("{}-{}", first, first + width - 1);
}

// One row: the label, then `cell` of every core.
std::string row(const std::string& label, Cores cores,
                const std::function<std::string(const IsaWidths&)>& cell) {
  std::string text = "| " + label + " |";
  for (const CoreConfig& core : cores) text += " " + cell(widths_of(core)) + " |";
  return text + "\n";
}

std::string heading(const std::string& title, Cores cores) {
  std::string text = "**" + title + "**\n\n| field |";
  std::string rule = "|---|";
  for (const CoreConfig& core : cores) {
    text += " " + core.name + " |";
    rule += "---|";
  }
  return text + "\n" + rule + "\n";
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The row of the `split` bit, which is apart from the fields of word 0.
struct SplitRow {
  int bit;
  const char* label;
};

std::string zero_bits(const Format& format, int word, const SplitRow& split,
                      const IsaWidths& widths) {
  const int first = 64 * word + std::popcount(used_bits(format.first, word, widths));
  const int end = 64 * (word + 1);
  if (word == 1) return bit_range(first, end - first);
  const std::string below = bit_range(first, split.bit - first);
  const std::string above = bit_range(split.bit + 1, end - split.bit - 1);
  if (below == "-") return above;
  return above == "-" ? below : below + ", " + above;
}

std::string format_table(const std::string& title, const Format& format, const SplitRow& split,
                         Cores cores) {
  std::string text = heading(title, cores);
  for (int word = 0; word < 2; ++word) {
    for (int id = format.first; id < format.end; ++id) {
      if (field_word(id) != word) continue;
      text += row(kFieldTable[id].name, cores, [&](const IsaWidths& widths) {
        const Field place = field(id, widths);
        return bit_range(64 * word + place.lsb, place.width);
      });
    }
    if (word == 0) {
      text += row(split.label, cores, [&](const IsaWidths&) { return bit_range(split.bit, 1); });
    }
    text += row(fmt::format("zero in word {}", word), cores,
                [&](const IsaWidths& widths) { return zero_bits(format, word, split, widths); });
  }
  return text + "\n";
}

std::string uop_table(Cores cores) {
  static constexpr const char* kNames[] = {
#define VTA_UOP_FIELD(name, width) #name,
#include "hw/isa/fields.def"
  };
  std::string text = heading("Micro-op", cores);
  for (int id = 0; id < kNumUopFields; ++id) {
    text += row(kNames[id], cores, [&](const IsaWidths& widths) {
      const Field place = uop_field(id, widths);
      return bit_range(place.lsb, place.width);
    });
  }
  text += row("ignored", cores, [](const IsaWidths& widths) {
    const Field last = uop_field(kNumUopFields - 1, widths);
    const int used = last.lsb + last.width;
    return bit_range(used, 32 - used);
  });
  return text;
}

std::string layout_tables(Cores cores) {
  return format_table("LOAD, STORE", kMemoryFormat,
                      {kSplitBit_Memory, "split (LOAD UOP, ACC, ACC_8BIT)"}, cores) +
         format_table("GEMM, FINISH", kGemmFormat, {kSplitBit_Gemm, "split (GEMM)"}, cores) +
         format_table("ALU", kAluFormat, {kSplitBit_Alu, "split"}, cores) + uop_table(cores);
}

std::string alu_opcode_table() {
  std::string text = "| code | ALU opcode | result |\n|---|---|---|\n";
#define VTA_ALU_OPCODE(enumerator, code, name, needs_extension, result) \
  text += fmt::format("| {} | {}{} | {} |\n", code, upper_case(#name),  \
                      needs_extension ? " (extension)" : "", result);
#include "hw/isa/alu_opcodes.def"
  return text;
}

std::string req_table() {
  static constexpr const char* kMeanings[] = {
#define VTA_REQ_FIELD(name, width, meaning) meaning,
#include "hw/isa/req.def"
  };
  std::string text = "| bits of imm | meaning |\n|---|---|\n";
  for (int id = 0; id < kNumReqFields; ++id) {
    const Field place = req_field(id);
    text += fmt::format("| {} | {} |\n", bit_range(place.lsb, place.width), kMeanings[id]);
  }
  return text;
}

std::string fault_table() {
  std::string text = "| code | fault | value reported |\n|---|---|---|\n";
#define VTA_FAULT(enumerator, code, name, value) \
  text += fmt::format("| {} | {} | {} |\n", code, name, value);
#include "hw/isa/faults.def"
  return text;
}

// `text` between the comments that mark a generated part of README.md.
std::string readme_part(const std::string& name, const std::string& text) {
  return fmt::format("<!-- generated by isa_tables: {} -->\n{}<!-- end of {} -->\n", name, text,
                     name);
}

}  // namespace

std::vector<std::string> readme_parts() {
  std::vector<CoreConfig> cores;
  for (const char* name : {"vta_1x16", "vta_4x8", "tiny_1x8"}) {
    cores.push_back(load_core_config(name));
  }
  return {readme_part("layout", layout_tables(cores)), readme_part("alu", alu_opcode_table()),
          readme_part("req", req_table()), readme_part("faults", fault_table())};
}

}  // namespace vta::isa
