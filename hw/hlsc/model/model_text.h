// SPDX-License-Identifier: Apache-2.0
//
// What the parts of a cycle model share while it is written: the names of objects and values in
// C++, and what an operation does once its cycle is known.
#ifndef VTA_HW_HLSC_MODEL_MODEL_TEXT_H_
#define VTA_HW_HLSC_MODEL_MODEL_TEXT_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/model/quiet_path.h"
#include "hw/hlsc/model/slice.h"

namespace vta::hlsc::model {

struct ModelInput {
  const ir::Design& design;
  const schedule::Schedule& schedule;
  const std::map<ir::ObjectId, bind::RamPorts>& rams;
  const Slice& slice;
};

// A RAM's port that several processes use.
struct SharedPort {
  std::string arbiter;
  std::vector<size_t> clients;  // processes, by turn
};
// Of the accesses of one kind; none if the processes have ports of their own.
std::optional<SharedPort> shared_port(const ModelInput& input, ir::ObjectId ram, bool reads);
std::vector<SharedPort> shared_ports(const ModelInput& input, ir::ObjectId ram);

std::string object_name(const ir::Object& object);
// The number by which waits name it.
std::string object_number(const ir::Object& object);
// Of an item of the stream, or a word.
std::string content_type(const ModelInput& input, ir::ObjectId object);

// Registers that the counters of a nest read while its body writes them, and for how many
// iterations back.
std::map<ir::ObjectId, uint32_t> late_registers(const ModelInput& input);

// One process while it is written.
class ProcessText {
 public:
  // `place`: where a value of the process stands, if not in a variable of its own.
  ProcessText(const ModelInput& input, size_t process,
              const std::map<ir::ObjectId, uint32_t>& late_registers);

  const ir::Process& process() const { return process_; }
  const schedule::ProcessSchedule& schedule() const {
    return input_.schedule.processes[process_index_];
  }
  const ir::Op& op(ir::ValueId value) const { return process_.ops[value]; }
  const ir::Object& object(const ir::Op& op) const { return input_.design.objects[op.object]; }
  bool is_computed(ir::ValueId value) const { return input_.slice.values[process_index_][value]; }

  // Whether the registers' counters look at them late: see late_registers().
  bool is_late_register(ir::ObjectId id) const { return late_registers_.contains(id); }
  // Whether what its object holds is computed.
  bool has_content(const ir::Op& op) const { return input_.slice.contents[op.object]; }

  // Names of values; `prefix` stands before those of `members`.
  std::string name(ir::ValueId value) const;
  void set_members(const std::set<ir::ValueId>* members, const std::string& prefix) {
    members_ = members;
    prefix_ = prefix;
  }

  // Values that are decided for a while; null: none.
  void set_known(const KnownValues* known) { known_ = known; }
  bool is_known(ir::ValueId value) const { return known(value) != nullptr; }

  // Registers, and the words of RAMs, that stand in local variables for a while: local_<name>.
  void set_locals(std::set<ir::ObjectId> objects) { locals_ = std::move(objects); }
  std::string object_name(ir::ObjectId id) const;

  // "" if it is always true, else "(v1 != 0)".
  std::string condition(ir::ValueId predicate) const;
  // `text` if the predicate of `op` is true.
  std::string guarded(const ir::Op& op, const std::string& text) const;

  // An expression for a pure operation, or a read of a register or input; of a register as it is in
  // the cycle `seen_in`, if that is not "".
  std::string computed(ir::ValueId value, const std::string& seen_in) const;

  // The statement for what the operation does in cycle `at`: pops, pushes, reads and writes.
  std::string effect(ir::ValueId value, const std::string& at) const;

  // The process's place at the port that the access uses; none if it is its own.
  struct Turn {
    std::string arbiter;
    size_t client;
    bool is_last;
  };
  std::optional<Turn> turn(const ir::Op& op) const;
  std::string bank(const ir::Op& op) const;
  // The index of a RAM access, as wide as the RAM's addresses.
  std::string address(const ir::Op& op) const;
  // Whether it may have to wait for others to use the port.
  bool waits_for_port(const ir::Op& op) const;

  // Whether other processes write the RAM.
  bool others_write(const ir::Op& op) const;

  // The stream end that the operation waits at, with its known-ness: names of members.
  struct End {
    std::string stream, known, cycle, stand, wait;
    bool has_item;
  };
  End end(const ir::Op& op) const;

 private:
  const llvm::APInt* known(ir::ValueId value) const;
  // The operand that alone decides the operation, if there is one.
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
