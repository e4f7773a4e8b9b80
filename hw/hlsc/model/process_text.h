// SPDX-License-Identifier: Apache-2.0
//
// The text of one process: C++ names of its values, and the statements for an operation whose cycle
// is known.
#ifndef VTA_HW_HLSC_MODEL_PROCESS_TEXT_H_
#define VTA_HW_HLSC_MODEL_PROCESS_TEXT_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "hw/hlsc/model/fast_path.h"
#include "hw/hlsc/model/model_input.h"

namespace vta::hlsc::model {

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

  // "" if it is always true, else an expression in parentheses.
  std::string condition(ir::ValueId predicate) const;
  // The statement `text` under the predicate of `op`; "" if that is known to be false.
  std::string guarded(const ir::Op& op, const std::string& text) const;

  // An expression for a pure operation, or a read of a register or input. A register is read as of
  // cycle `seen_in`, if that is not "".
  std::string computed(ir::ValueId value, const std::string& seen_in) const;

  // The statement for the effect of the operation in cycle `at`: a pop, push, read or write.
  std::string effect(ir::ValueId value, const std::string& at) const;

  // The process as a client of the port of a RAM access; none if the port is its own.
  struct PortClient {
    std::string arbiter;
    size_t client;  // priority: 0 never waits
    bool is_last;   // no other client waits for it
  };
  std::optional<PortClient> port_client(const ir::Op& op) const;
  std::string bank(const ir::Op& op) const;
  // The index of a RAM access, as wide as the RAM's addresses.
  std::string address(const ir::Op& op) const;
  // Whether it may wait for other processes at the port.
  bool waits_for_port(const ir::Op& op) const;

  // Whether other processes write the RAM.
  bool others_write(const ir::Op& op) const;

  // The end of a stream at which the operation waits. `stream` is a member of the model, `wait` a
  // function of sim/process_network, and the others are members of the stream's class.
  struct End {
    std::string stream;
    std::string is_known;     // whether the cycle in which the end is ready is known
    std::string ready_cycle;  // that cycle
    std::string will_wait;    // announces that the process waits for it to be known
    std::string wait;
    bool has_item;
  };
  End end(const ir::Op& op) const;

 private:
  const llvm::APInt* known(ir::ValueId value) const;
  // The operand that alone determines the result, if the other ones are known.
  std::optional<ir::ValueId> only_operand(const ir::Op& op) const;
  // Statements of effect().
  std::string push(const ir::Op& op, const std::string& at, const std::string& item) const;
  std::string ram_write(const ir::Op& op) const;
  std::string register_write(const ir::Op& op, const std::string& at) const;

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

#endif  // VTA_HW_HLSC_MODEL_PROCESS_TEXT_H_
