// SPDX-License-Identifier: Apache-2.0
//
// The effects of an operation outside its state or stage: at ports, on RAMs, on registers.
#ifndef VTA_HW_HLSC_EMIT_EFFECTS_H_
#define VTA_HW_HLSC_EMIT_EFFECTS_H_

#include <string>
#include <vector>

#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

// Adds an access of a stream, of a DRAM port or a read of a RAM to the ports. `wanted` and
// `happens` as in Access.
void access(ModuleState& state, const ir::Op& op, Context& context, const Expression& wanted,
            const Expression& happens);

// The writes of one RAM in one cycle, in program order, joined: whether there is one, and its word
// with the lanes that it writes. `suffix` distinguishes its wires.
struct JoinedWrite {
  Expression any, address, lanes, data;
};
JoinedWrite join_writes(ModuleState& state, Context& context,
                        const std::vector<ir::ValueId>& writes, const std::string& suffix);

// The clocked statements for the register writes among the operations.
std::vector<rtl::Statement> register_writes(const ModuleState& state,
                                            const std::vector<ir::ValueId>& operations,
                                            Context& context);

// The index of a RAM access in the width of the port.
Expression ram_address(const ModuleState& state, const ir::Op& op, Context& context);

// Adds the wire <name>_q: the word of the read for which `happens` is true, until the next such
// read, even if other reads use the port in between.
void keep_word(ModuleState& state, const ir::Object& ram, const std::string& name,
               const Expression& happens);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_EFFECTS_H_
