// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_CORE_DEFINITIONS_H_
#define VTA_TESTS_SUPPORT_CORE_DEFINITIONS_H_

#include <string>
#include <vector>

#include "configs/core_fields.h"

namespace vta::support {

// The definitions with which hw/core/instance.cc is compiled for a core: "CORE_batch=1", ...
inline std::vector<std::string> core_definitions(const CoreConfig& core) {
  std::vector<std::string> definitions;
  for (const CoreField& field : kCoreFields) {
    definitions.push_back("CORE_" + std::string(field.key) + "=" +
                          std::to_string(core.*field.member));
  }
  return definitions;
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_CORE_DEFINITIONS_H_
