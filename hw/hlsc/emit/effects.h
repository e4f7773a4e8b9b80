// SPDX-License-Identifier: Apache-2.0
//
// What an operation does to what lies outside its state or stage: at ports, to RAMs, to registers.
#ifndef VTA_HW_HLSC_EMIT_EFFECTS_H_
#define VTA_HW_HLSC_EMIT_EFFECTS_H_

#include <string>
#include <vector>

#include "hw/hlsc/emit/module_state.h"

namespace vta::hlsc::emit {

// Gathers an access of a stream, of a DRAM port or a read of a RAM at the ports. `wanted` and
// `happens` as in Access.
void access(ModuleState& state, const ir::Op& op, Context& context, const std::string& wanted,
            const std::string& happens);

// The writes of one RAM in one cycle, in program order, as one: whether there is any, and its word
// with the lanes that it reaches. `suffix` distinguishes its wires.
struct JoinedWrite {
  std::string any, address, lanes, data;
};
JoinedWrite join_writes(ModuleState& state, Context& context,
                        const std::vector<ir::ValueId>& writes, const std::string& suffix);

// The clocked lines that the register writes among the operations become.
std::string register_writes(const ModuleState& state, const std::vector<ir::ValueId>& operations,
                            Context& context);

// The index of a RAM access as the port takes it.
std::string ram_address(const ModuleState& state, const ir::Op& op, Context& context);

// Declares <name>_q: the word of the read that `happens` tells of, for as long as no other such
// read follows, whatever others read at the port.
void keep_word(ModuleState& state, const ir::Object& ram, const std::string& name,
               const std::string& happens);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_EFFECTS_H_
