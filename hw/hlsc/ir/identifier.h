// SPDX-License-Identifier: Apache-2.0
//
// The characters of identifiers in the text form.
#ifndef VTA_HW_HLSC_IR_IDENTIFIER_H_
#define VTA_HW_HLSC_IR_IDENTIFIER_H_

#include <cctype>

namespace vta::hlsc::ir {

inline bool is_identifier_char(char c) {
  const auto byte = static_cast<unsigned char>(c);  // from 0x80 on: UTF-8
  return std::isalnum(byte) || c == '_' || c == '.' || c == '%' || c == '$' || byte >= 0x80;
}

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_IDENTIFIER_H_
