// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/rtl/print_verilog.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "base/errors/error.h"

namespace vta::hlsc::rtl {
namespace {

// IEEE 1800-2017, table 11-2: operators of a higher number bind tighter.
constexpr int kLoosest = 0, kConditional = 1, kUnary = 10, kPrimary = 11;

struct Infix {
  const char* symbol;
  int precedence;
};

Infix infix(BinaryOperator sign) {
  switch (sign) {
    case BinaryOperator::kOr:
      return {"|", 2};
    case BinaryOperator::kXor:
      return {"^", 3};
    case BinaryOperator::kAnd:
      return {"&", 4};
    case BinaryOperator::kEq:
      return {"==", 5};
    case BinaryOperator::kNe:
      return {"!=", 5};
    case BinaryOperator::kLt:
      return {"<", 6};
    case BinaryOperator::kLe:
      return {"<=", 6};
    case BinaryOperator::kGe:
      return {">=", 6};
    case BinaryOperator::kShl:
      return {"<<", 7};
    case BinaryOperator::kLshr:
      return {">>", 7};
    case BinaryOperator::kAshr:
      return {">>>", 7};
    case BinaryOperator::kAdd:
      return {"+", 8};
    case BinaryOperator::kSub:
      return {"-", 8};
    case BinaryOperator::kMul:
      return {"*", 9};
  }
  VTA_ASSERT(false, "a binary operator without a symbol");
  return {"", kLoosest};
}

int precedence(const Expression& expression) {
  switch (expression.form()) {
    case Form::kConditional:
      return kConditional;
    case Form::kNot:
    case Form::kReductionOr:
      return kUnary;
    case Form::kBinary:
      return infix(expression.binary_operator()).precedence;
    case Form::kNet:
    case Form::kLiteral:
    case Form::kConcatenation:
    case Form::kReplication:
    case Form::kIndex:
    case Form::kRange:
    case Form::kPart:
    case Form::kSigned:
    case Form::kCast:
    case Form::kParentheses:
      return kPrimary;
  }
  VTA_ASSERT(false, "an expression without a precedence");
  return kLoosest;
}

const char* keyword(NetKind kind) {
  switch (kind) {
    case NetKind::kWire:
      return "wire";
    case NetKind::kRegister:
      return "reg";
    case NetKind::kLocalparam:
      return "localparam";
  }
  VTA_ASSERT(false, "a kind of net without a keyword");
  return "";
}

class Printer {
 public:
  static constexpr size_t kAlwaysIndent = 4;

  std::string take() { return std::move(text_); }

  void file(const File& file) {
    line("// {}\n", file.comment);
    for (const Unit& unit : file.units) {
      text_ += '\n';
      if (unit.for_simulation) text_ += "`ifndef HLS_SIMULATION\n";
      module(unit.module);
      if (!unit.for_simulation) continue;
      text_ += "`else\n";
      module(*unit.for_simulation);
      text_ += "`endif\n";
    }
    for (const InitializedRam& ram : file.rams) this->ram(ram);
  }

  void ram(const InitializedRam& it) {
    const size_t depth = it.words.size();
    const auto address_bits =
        std::max(1u, static_cast<uint32_t>(std::bit_width(depth == 0 ? 0 : depth - 1)));
    const std::string address = dimension(address_bits, true), word = dimension(it.width, true);
    line("\nmodule {} #(\n  // verilator lint_off UNUSEDPARAM\n", it.name);
    line(
        "  parameter STYLE = \"block\"  // or \"distributed\": LUT RAM, \"auto\". Verilator "
        "ignores it\n");
    line("  // verilator lint_on UNUSEDPARAM\n) (\n  input  wire clk,\n  input  wire re,\n");
    line("  input  wire {}ra,\n  output reg  {}rq", address, word);
    if (it.is_written)
      line(",\n  input  wire {}we,\n  input  wire {}wa,\n  input  wire {}wd",
           dimension(it.width / it.lane_width, true), address, word);
    line("\n);\n  (* ram_style = STYLE *) reg {}words[0:{}];\n  initial begin\n", word, depth - 1);
    for (size_t i = 0; i < depth; ++i) {
      line("    words[{}] = ", i);
      enclosed("", it.words[i], ";\n");
    }
    line("  end\n  always @(posedge clk) if (re) rq <= words[ra];\n");
    if (it.is_written) ram_writes(it);
    text_ += "endmodule\n";
  }

  void ram_writes(const InitializedRam& it) {
    line("  always @(posedge clk) begin\n");
    for (uint32_t low = 0; low < it.width; low += it.lane_width) {
      const std::string lane =
          it.lane_width == it.width ? "" : fmt::format("[{}:{}]", low + it.lane_width - 1, low);
      line("    if (we[{0}]) words[wa]{1} <= wd{1};\n", low / it.lane_width, lane);
    }
    line("  end\n");
  }

  void module(const Module& module) {
    if (!module.comment.empty()) line("// {}\n", module.comment);
    line("module {} (\n", module.name);
    for (size_t i = 0; i < module.ports.size(); ++i) port(module.ports[i], i == 0);
    text_ += "\n);\n";
    for (const Net& net : module.nets) this->net(net);
    for (const Item& item : module.items) std::visit([this](const auto& it) { print(it); }, item);
    text_ += "endmodule\n";
  }

  // With parentheses if its operator binds less tightly than `tightness`.
  void expression(const Expression& expression, int tightness = kLoosest) {
    const bool enclose = precedence(expression) < tightness;
    if (enclose) text_ += '(';
    bare(expression);
    if (enclose) text_ += ')';
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  static std::string dimension(uint32_t width, bool always = false) {
    return width <= 1 && !always ? "" : fmt::format("[{}:0] ", width - 1);
  }

  // --- Expressions ---

  // A long number, such as a table, in parts: Icarus reads tokens of less than 16,384 characters.
  static std::string literal(const Expression& it) {
    constexpr size_t kMaxDigits = 4096;
    const std::string& text = it.text();
    const size_t digits = text.find("'h") + 2;
    if (text.size() <= kMaxDigits) return text;
    std::string parts;
    uint32_t below = 0;  // bits
    for (size_t end = text.size(); end > digits; end -= std::min(kMaxDigits, end - digits)) {
      const size_t begin = end - std::min(kMaxDigits, end - digits);
      const uint32_t bits = begin == digits ? it.width() - below : 4 * kMaxDigits;
      parts = fmt::format("{}'h{}{}{}", bits, text.substr(begin, end - begin),
                          parts.empty() ? "" : ", ", parts);
      below += bits;
    }
    return "{" + parts + "}";
  }

  void bare(const Expression& it) {
    const auto operands = it.operands();
    switch (it.form()) {
      case Form::kNet:
        text_ += it.text();
        return;
      case Form::kLiteral:
        text_ += literal(it);
        return;
      // The operand of a unary operator is a primary (IEEE 1800-2017, A.8.3), so ~~a is illegal.
      case Form::kNot:
        text_ += '~';
        return expression(operands[0], kPrimary);
      case Form::kReductionOr:
        text_ += '|';
        return expression(operands[0], kPrimary);
      case Form::kBinary:
        return binary(it);
      case Form::kConditional:
        return conditional(it);
      case Form::kConcatenation:
        return concatenation(it);
      case Form::kReplication:
        line("{{{}", it.low());
        return enclosed("{", operands[0], "}}");
      case Form::kIndex:
      case Form::kRange:
      case Form::kPart:
        return selection(it);
      case Form::kSigned:
        return enclosed("$signed(", operands[0], ")");
      case Form::kCast:
        line("{}", it.width());
        return enclosed("'(", operands[0], ")");
      case Form::kParentheses:
        return enclosed("(", operands[0], ")");
    }
  }

  // Binary operators are left associative.
  void binary(const Expression& it) {
    const Infix sign = infix(it.binary_operator());
    expression(it.operands()[0], sign.precedence);
    line(" {} ", sign.symbol);
    expression(it.operands()[1], sign.precedence + 1);
  }

  void conditional(const Expression& it) {
    expression(it.operands()[0], kConditional + 1);
    text_ += " ? ";
    expression(it.operands()[1], kConditional);
    text_ += " : ";
    expression(it.operands()[2], kConditional);
  }

  void concatenation(const Expression& it) {
    text_ += '{';
    for (size_t i = 0; i < it.operands().size(); ++i) {
      if (i != 0) text_ += ", ";
      expression(it.operands()[i]);
    }
    text_ += '}';
  }

  void enclosed(const char* open, const Expression& it, const char* close) {
    text_ += open;
    expression(it);
    text_ += close;
  }

  void selection(const Expression& it) {
    const auto operands = it.operands();
    expression(operands[0], kPrimary);
    if (it.form() == Form::kIndex) return enclosed("[", operands[1], "]");
    if (it.form() == Form::kRange) return line("[{}:{}]", it.high(), it.low());
    enclosed("[", operands[1], " +: ");
    line("{}]", it.width());
  }

  // --- Declarations ---

  void port(const Port& port, bool is_first) {
    line("{}  {} {}{}{}", is_first ? "" : ",\n", port.is_output ? "output" : "input",
         port.is_register ? "reg " : "wire ", dimension(port.width), port.name);
  }

  void net(const Net& net) {
    line("  {} {}{}", keyword(net.kind), dimension(net.width, net.has_range), net.name);
    if (!net.value.empty()) enclosed(" = ", net.value, "");
    text_ += ";\n";
  }

  void print(const Assignment& assignment) {
    enclosed("  assign ", assignment.target, " = ");
    enclosed("", assignment.value, ";\n");
  }

  void print(const Instance& instance) {
    line("  {} ", instance.module);
    for (size_t i = 0; i < instance.parameters.size(); ++i) {
      const Parameter& it = instance.parameters[i];
      const std::string value = it.text.empty() ? std::to_string(it.value) : '"' + it.text + '"';
      line("{}.{}({})", i == 0 ? "#(" : ", ", it.name, value);
    }
    line("{}{} (", instance.parameters.empty() ? "" : ") ", instance.name);
    for (size_t i = 0; i < instance.connections.size(); ++i) {
      line("{}.{}", i == 0 ? "" : ", ", instance.connections[i].port);
      enclosed("(", instance.connections[i].value, ")");
    }
    text_ += ");\n";
  }

  // --- Statements ---

  void print(const Always& always) {
    const bool clocked = always.trigger == Trigger::kClock;
    const char* event = clocked ? "(posedge clk)" : "*";
    if (always.body.size() == 1 && always.body[0].kind == StatementKind::kIf) {
      line("  always @{} ", event);
      in_line(always.body[0]);
      text_ += '\n';
      return;
    }
    if (clocked) text_ += '\n';
    line("  always @{} begin\n", event);
    statements(always.body, kAlwaysIndent);
    text_ += "  end\n";
  }

  // Neighbours of one view share their `ifdef; simulation comes before synthesis.
  void enter(View view, View& now) {
    if (view == now) return;
    if (now == View::kSimulation && view == View::kSynthesis) {
      text_ += "`else\n";
    } else {
      if (now != View::kBoth) text_ += "`endif\n";
      if (view == View::kSynthesis) text_ += "`ifndef HLS_SIMULATION\n";
      if (view == View::kSimulation) text_ += "`ifdef HLS_SIMULATION\n";
    }
    now = view;
  }

  void variables(const std::vector<Variable>& variables, size_t indent) {
    View view = View::kBoth;
    for (const Variable& variable : variables) {
      enter(variable.view, view);
      line("{:{}}reg {}{}{};\n", "", indent, variable.is_signed ? "signed " : "",
           dimension(variable.width), variable.name);
    }
    enter(View::kBoth, view);
  }

  void statements(const std::vector<Statement>& statements, size_t indent) {
    View view = View::kBoth;
    for (const Statement& statement : statements) {
      enter(statement.view, view);
      text_.append(indent, ' ');
      if (statement.kind == StatementKind::kBlock) {
        block(statement, indent);
      } else {
        // Only what is directly in an always block, not in a labelled one, has its else in a line
        // of its own.
        in_line(statement, indent == kAlwaysIndent ? "\n    else " : " else ");
      }
      text_ += '\n';
    }
    enter(View::kBoth, view);
  }

  void block(const Statement& it, size_t indent) {
    if (it.condition.empty()) {
      text_ += "begin";
    } else {
      enclosed("if (", it.condition, ") begin");
    }
    if (!it.label.empty()) line(" : {}", it.label);
    if (!it.comment.empty()) line("  // {}", it.comment);
    text_ += '\n';
    variables(it.variables, indent + 2);
    statements(it.then, indent + 2);
    line("{:{}}end", "", indent);
  }

  void in_line(const Statement& it, const char* otherwise = " else ") {
    switch (it.kind) {
      case StatementKind::kIf:
        enclosed("if (", it.condition, ") ");
        arm(it.then[0], otherwise);
        if (it.otherwise.empty()) return;
        text_ += otherwise;
        return arm(it.otherwise[0], otherwise);
      case StatementKind::kSequence:
        for (size_t i = 0; i < it.then.size(); ++i) {
          if (i != 0) text_ += ' ';
          in_line(it.then[i]);
        }
        return;
      case StatementKind::kBlocking:
        enclosed("", it.target, " = ");
        return enclosed("", it.value, ";");
      case StatementKind::kNonblocking:
        enclosed("", it.target, " <= ");
        return enclosed("", it.value, ";");
      case StatementKind::kBlock:
        VTA_ASSERT(false, "a block inside a line");
    }
  }

  void arm(const Statement& it, const char* otherwise) {
    const bool is_sequence = it.kind == StatementKind::kSequence;
    if (is_sequence) text_ += "begin ";
    in_line(it, otherwise);
    if (is_sequence) text_ += " end";
  }

  std::string text_;
};

}  // namespace

std::string print_verilog(const File& file) {
  Printer printer;
  printer.file(file);
  return printer.take();
}

std::string print_verilog(const Module& module) {
  Printer printer;
  printer.module(module);
  return printer.take();
}

std::string print_verilog(const Expression& expression) {
  Printer printer;
  printer.expression(expression);
  return printer.take();
}

}  // namespace vta::hlsc::rtl
