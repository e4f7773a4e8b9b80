// SPDX-License-Identifier: Apache-2.0
//
// Forms of the values on a recurrence. A form is one operation on one carried value, which the
// iteration before determines, and on free values, which it does not.
#ifndef VTA_HW_HLSC_SCHEDULE_CARRIED_FORMS_H_
#define VTA_HW_HLSC_SCHEDULE_CARRIED_FORMS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/folding_builder.h"

namespace vta::hlsc::schedule {

struct Form {
  enum class Kind : uint8_t {
    kItself,  // the carried value
    kChoice,  // first if the carried bit is 1, else second
    kChain,   // opcode(carried, first); opcode: and, or, xor, add
    kMux,     // the carried value if the bit `first` is 1, else second
  };
  Kind kind = Kind::kItself;
  ir::ValueId carried = ir::kNoValue;
  ir::Opcode opcode = ir::Opcode::kConstant;
  ir::ValueId first = ir::kNoValue, second = ir::kNoValue;
};

class CarriedForms {
 public:
  // `recurrence`: operations of a body whose pure ones are shortened, and must outlive this.
  CarriedForms(ir::Process& process, const std::set<ir::ValueId>& recurrence)
      : process_(process), recurrence_(recurrence) {}

  // For each operation of the recurrence, in program order. An operation after a chain of others
  // becomes its form; what it needs is appended to `out`.
  void shorten(ir::ValueId value, ir::Sequence& out);

 private:
  class Rules;

  ir::Process& process_;
  const std::set<ir::ValueId>& recurrence_;
  std::map<ir::ValueId, Form> forms_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_CARRIED_FORMS_H_
