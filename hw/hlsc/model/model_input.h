// SPDX-License-Identifier: Apache-2.0
//
// What all parts of a cycle model's text share: the design with its schedule, the C++ names of
// objects, shared RAM ports and late registers.
#ifndef VTA_HW_HLSC_MODEL_MODEL_INPUT_H_
#define VTA_HW_HLSC_MODEL_MODEL_INPUT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/model/slice.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::model {

struct ModelInput {
  const ir::Design& design;
  const schedule::Schedule& schedule;
  const std::map<ir::ObjectId, bind::RamPorts>& rams;
  const Slice& slice;
};

// A RAM port that several processes use.
struct SharedPort {
  std::string arbiter;
  std::vector<size_t> clients;  // process numbers, highest priority first
};
// The port of the process's access, kRamRead or kRamWrite; none if it has the port to itself.
std::optional<SharedPort> shared_port(const ModelInput& input, ir::ObjectId ram, size_t process,
                                      ir::Opcode access);
// All shared ports of a RAM.
std::vector<SharedPort> shared_ports(const ModelInput& input, ir::ObjectId ram);

std::string object_name(const ir::Object& object);
// The number that waits refer to it by.
std::string object_number(const ir::Object& object);
// The C++ type of a stream's items or a RAM's words.
std::string content_type(const ModelInput& input, ir::ObjectId object);

// Registers that the counters of a nest read while its body writes them, with the number of
// iterations that the reads are late by.
std::map<ir::ObjectId, uint32_t> late_registers(const ModelInput& input);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_MODEL_INPUT_H_
