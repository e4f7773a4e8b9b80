// SPDX-License-Identifier: Apache-2.0
//
// The structure of SystemVerilog modules: what hw/hlsc/emit builds, print_verilog() prints and
// verify() checks. Widths are in bits. Two modules that are equal print the same text.
#ifndef VTA_HW_HLSC_RTL_MODULE_H_
#define VTA_HW_HLSC_RTL_MODULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hw/hlsc/rtl/expression.h"

namespace vta::hlsc::rtl {

// Which of the two views of a file has it: HLS_SIMULATION is defined for simulators only.
enum class View : uint8_t { kBoth, kSynthesis, kSimulation };

// A variable of a block, assigned before it is read.
struct Variable {
  std::string name;
  uint32_t width = 1;
  bool is_signed = false;
  View view = View::kBoth;
  bool operator==(const Variable&) const = default;
};

enum class StatementKind : uint8_t {
  kBlocking,     // target = value
  kNonblocking,  // target <= value
  kIf,           // if (condition) then else otherwise
  kSequence,     // begin then end; on one line
  kBlock,        // if (condition) begin : label; then over several lines, with variables
};

struct Statement {
  StatementKind kind = StatementKind::kNonblocking;
  Expression target, value;
  Expression condition;
  std::vector<Statement> then, otherwise;
  std::string label, comment;  // of a block; "": none
  std::vector<Variable> variables;
  View view = View::kBoth;
  bool operator==(const Statement&) const = default;
};

Statement blocking(Expression target, Expression value);
Statement nonblocking(Expression target, Expression value);
Statement if_then(Expression condition, Statement then);
Statement if_else(Expression condition, Statement then, Statement otherwise);
Statement sequence(std::vector<Statement> statements);

struct Port {
  bool is_output = false;
  bool is_register = false;
  uint32_t width = 1;
  std::string name;
  bool operator==(const Port&) const = default;
};

enum class NetKind : uint8_t { kWire, kRegister, kLocalparam };

struct Net {
  NetKind kind = NetKind::kWire;
  uint32_t width = 1;
  std::string name;
  Expression value;        // of a localparam, and of a wire that is assigned where it is declared
  bool has_range = false;  // [0:0] is printed as well
  bool operator==(const Net&) const = default;
};

struct Assignment {
  Expression target, value;
  bool operator==(const Assignment&) const = default;
};

struct Parameter {
  std::string name;
  uint32_t value = 0;
  std::string text = {};  // instead of the value, if it is not empty
  bool operator==(const Parameter&) const = default;
};
struct Connection {
  std::string port;
  Expression value;
  bool operator==(const Connection&) const = default;
};
struct Instance {
  std::string module, name;
  std::vector<Parameter> parameters;
  std::vector<Connection> connections;
  bool operator==(const Instance&) const = default;
};

enum class Trigger : uint8_t { kClock, kChange };  // @(posedge clk), @*

struct Always {
  Trigger trigger = Trigger::kClock;
  std::vector<Statement> body;
  bool operator==(const Always&) const = default;
};

using Item = std::variant<Assignment, Instance, Always>;

struct Module {
  std::string name;
  std::string comment;  // in the line above; "": none
  std::vector<Port> ports;
  std::vector<Net> nets;
  std::vector<Item> items;
  bool operator==(const Module&) const = default;
};

// A module, and the one that simulators get instead, if that differs.
struct Unit {
  Module module;
  std::optional<Module> for_simulation;
};

// A RAM with initial contents: a module with the parameter STYLE and the ports of
// hw/rtl/hls_ram.sv, without its write port if nothing writes it. One always block for each port
// and constants in an initial block: the form from which yosys, Vivado and Quartus alike infer a
// RAM or ROM.
struct InitializedRam {
  std::string name;
  uint32_t width = 1, lane_width = 1;  // lane_width divides width
  bool is_written = false;
  std::vector<Expression> words;  // literals of `width` bits, one for each word
};

struct File {
  std::string comment;
  std::vector<Unit> units;
  std::vector<InitializedRam> rams;
};

}  // namespace vta::hlsc::rtl

#endif  // VTA_HW_HLSC_RTL_MODULE_H_
