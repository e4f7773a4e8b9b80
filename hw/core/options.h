// SPDX-License-Identifier: Apache-2.0
//
// The definitions CORE_<field> of fields that a core's file may leave out (VTA_CORE_OPTION in
// configs/core_fields.def). Included after the others.
#ifndef VTA_HW_CORE_OPTIONS_H_
#define VTA_HW_CORE_OPTIONS_H_

#ifndef CORE_alu_folding
#define CORE_alu_folding 1
#endif
#ifndef CORE_pixels
#define CORE_pixels 1
#endif

#endif  // VTA_HW_CORE_OPTIONS_H_
