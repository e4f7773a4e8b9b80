// SPDX-License-Identifier: Apache-2.0
//
// The limit of the memory that a process takes for arrays and tensors. What a file's header or a
// shape claims is checked against it before a byte is allocated or inflated, so that a small file
// cannot take a machine's memory.
#ifndef VTA_BASE_LIMITS_MEMORY_LIMIT_H_
#define VTA_BASE_LIMITS_MEMORY_LIMIT_H_

#include <cstdint>
#include <string>

namespace vta {

// By default half of the machine's memory.
uint64_t memory_limit_bytes();
void set_memory_limit_bytes(uint64_t limit_bytes);

// "512M", "2G" or bytes; powers of 1024. Errors: kInvalidArgument.
uint64_t parse_memory_size(const std::string& text);

// Bytes that are charged and not yet released, by all threads.
uint64_t memory_in_use_bytes();

// Charges `size_bytes` for `object`. Errors: kOutOfMemory above the limit, naming the object, the
// size, what is in use and the limit; nothing is charged then.
void charge_memory(const std::string& object, uint64_t size_bytes);
void release_memory(uint64_t size_bytes);

// Checks without charging: for memory of short life. Errors: as charge_memory().
void check_memory(const std::string& object, uint64_t size_bytes);

}  // namespace vta

#endif  // VTA_BASE_LIMITS_MEMORY_LIMIT_H_
