// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_OPERATION_TEXT_H_
#define VTA_HW_HLSC_SCHEDULE_OPERATION_TEXT_H_

#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// "ram_read count 'word'": mnemonic, object and name of the result.
std::string operation_text(const ir::Design& design, const ir::Op& op);

// "file:line", or "" if it is not known.
std::string place_text(const ir::Location& location);
// "file:line: ", for the beginning of a message, or "".
std::string place_prefix(const ir::Location& location);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_OPERATION_TEXT_H_
