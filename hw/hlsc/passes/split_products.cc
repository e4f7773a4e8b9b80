// SPDX-License-Identifier: Apache-2.0
//
// Splits products that are too wide for one DSP48E1 and need no more than its 32 low bits:
//   a * b = a[23:0] * b[16:0] + ((a[14:0] * b[31:17] + (a[31:24] * b[7:0] << 7)) << 17)
// for 32 bits. So the scheduler can put a register between the products and the additions, which
// are two DSPs and some LUTs.
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

constexpr uint32_t kWide = 24, kNarrow = 17;  // factors of a DSP48E1, unsigned
constexpr uint32_t kMaxBits = 32;

class Splitter {
 public:
  explicit Splitter(ir::Process& process) : process_(process) {}

  void run(Sequence& items) {
    const auto split_wide = [&](ValueId value, Sequence& out) {
      if (is_wide(process_.ops[value])) split(value, out);
    };
    ir::rebuild(items, split_wide, [&](ir::Loop& loop) {
      run(loop.head);
      run(loop.body);
    });
  }

 private:
  bool is_wide(const Op& op) const {
    if (op.opcode != Opcode::kMul || op.width <= kWide || op.width > kMaxBits) return false;
    for (ValueId operand : op.operands) {
      const Op& factor = process_.ops[operand];
      if (factor.width != op.width || factor.opcode == Opcode::kConstant) return false;
    }
    return true;
  }

  void split(ValueId value, Sequence& out) {
    const Op product = process_.ops[value];
    const ValueId a = product.operands[0], b = product.operands[1];
    const uint32_t rest_bits = product.width - kNarrow, corner_bits = product.width - kWide;
    ir::Builder builder(process_, &out);
    builder.set_origin(product.location, product.name);
    const auto multiply = [&](uint32_t width, ValueId x, ValueId y) {
      return builder.append(Opcode::kMul, width, {x, y});
    };
    const auto shifted = [&](ValueId x, uint32_t bits) {
      return builder.append(Opcode::kConcat, builder.width(x) + bits,
                            {builder.constant(bits, 0), x});
    };
    const ValueId near =
        multiply(product.width, builder.slice(a, 0, kWide), builder.slice(b, 0, kNarrow));
    const ValueId corner = multiply(corner_bits, builder.slice(a, kWide, corner_bits),
                                    builder.slice(b, 0, corner_bits));
    const ValueId far =
        multiply(rest_bits, builder.slice(a, 0, rest_bits), builder.slice(b, kNarrow, rest_bits));
    const ValueId rest =
        builder.append(Opcode::kAdd, rest_bits, {far, shifted(corner, kWide - kNarrow)});
    Op sum = ir::make_op(Opcode::kAdd, product.width, {near, shifted(rest, kNarrow)});
    sum.location = product.location;
    sum.name = product.name;
    process_.ops[value] = std::move(sum);
  }

  ir::Process& process_;
};

}  // namespace

void split_products(ir::Design&, ir::Process& process) { Splitter(process).run(process.body); }

}  // namespace vta::hlsc::passes
