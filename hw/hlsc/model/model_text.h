// SPDX-License-Identifier: Apache-2.0
//
// State shared by the parts that write a cycle model: C++ names of objects and values, and the
// statements for an operation whose cycle is known.
#ifndef VTA_HW_HLSC_MODEL_MODEL_TEXT_H_
#define VTA_HW_HLSC_MODEL_MODEL_TEXT_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/model/fast_path.h"
#include "hw/hlsc/model/slice.h"

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

// Writes one process.
class ProcessText {
 public:
  ProcessText(const ModelInput& input, size_t process,
              const std::map<ir::ObjectId, uint32_t>& late_registers);

  const ir::Process& process() const { return process_; }
  const schedule::ProcessSchedule& schedule() const {
    return input_.schedule.processes[process_index_];
  }
  const ir::Op& op(ir::ValueId value) const { return process_.ops[value]; }
  const ir::Object& object(const ir::Op& op) const { return input_.design.objects[op.object]; }
  bool is_computed(ir::ValueId value) const { return input_.slice.values[process_index_][value]; }

  // See late_registers().
  bool is_late_register(ir::ObjectId id) const { return late_registers_.contains(id); }
  // Whether the model computes the contents of the object.
  bool has_content(const ir::Op& op) const { return input_.slice.contents[op.object]; }

  // The C++ name of a value: `prefix` comes before the names of `members`.
  std::string name(ir::ValueId value) const;
  void set_members(const std::set<ir::ValueId>* members, const std::string& prefix) {
    members_ = members;
    prefix_ = prefix;
  }

  // Values that are known constants from now on; null: none.
  void set_known(const KnownValues* known) { known_ = known; }
  bool is_known(ir::ValueId value) const { return known(value) != nullptr; }

  // Registers and RAMs that local variables named local_<name> cache from now on.
  void set_locals(std::set<ir::ObjectId> objects) { locals_ = std::move(objects); }
  std::string object_name(ir::ObjectId id) const;

  // "" if it is always true, else "(v1 != 0)".
  std::string condition(ir::ValueId predicate) const;
  // `text` if the predicate of `op` is true.
  std::string guarded(const ir::Op& op, const std::string& text) const;

  // An expression for a pure operation, or a read of a register or input. A register is read as of
  // cycle `seen_in`, if that is not "".
  std::string computed(ir::ValueId value, const std::string& seen_in) const;

  // The statement for the effect of the operation in cycle `at`: a pop, push, read or write.
  std::string effect(ir::ValueId value, const std::string& at) const;

  // The process's priority at the shared port of the access; none if the port is its own.
  struct Turn {
    std::string arbiter;
    size_t client;
    bool is_last;
  };
  std::optional<Turn> turn(const ir::Op& op) const;
  std::string bank(const ir::Op& op) const;
  // The index of a RAM access, as wide as the RAM's addresses.
  std::string address(const ir::Op& op) const;
  // Whether it may wait for other processes at the port.
  bool waits_for_port(const ir::Op& op) const;

  // Whether other processes write the RAM.
  bool others_write(const ir::Op& op) const;

  // The stream end that the operation waits at: names of members of the model.
  struct End {
    std::string stream, known, cycle, stand, wait;
    bool has_item;
  };
  End end(const ir::Op& op) const;

 private:
  const llvm::APInt* known(ir::ValueId value) const;
  // The operand that alone determines the result, if there is one.
  ir::ValueId only_operand(const ir::Op& op) const;

  const ModelInput& input_;
  size_t process_index_;
  const ir::Process& process_;
  const std::map<ir::ObjectId, uint32_t>& late_registers_;
  const std::set<ir::ValueId>* members_ = nullptr;
  std::string prefix_;
  std::set<ir::ObjectId> locals_;
  const KnownValues* known_ = nullptr;
};

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_MODEL_TEXT_H_
