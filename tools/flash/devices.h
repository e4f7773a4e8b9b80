// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_FLASH_DEVICES_H_
#define VTA_TOOLS_FLASH_DEVICES_H_

namespace vta {

// Registers the devices that --selftest may name: on a host simulators, too.
void register_devices();

}  // namespace vta

#endif  // VTA_TOOLS_FLASH_DEVICES_H_
