/* SPDX-License-Identifier: Apache-2.0
 *
 * A client of libvta in C. */
#ifndef VTA_TESTS_UNIT_TOOLS_C_API_DIGITS_CLIENT_H_
#define VTA_TESTS_UNIT_TOOLS_C_API_DIGITS_CLIENT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Compiles digits.json, classifies its sample on `device` and returns the class, or -1 with a
 * message on stderr. Writes the cycles of the run, or 0. */
int classify_digit(const char* device, uint64_t* cycles);

#ifdef __cplusplus
}
#endif

#endif  // VTA_TESTS_UNIT_TOOLS_C_API_DIGITS_CLIENT_H_
