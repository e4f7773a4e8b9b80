// SPDX-License-Identifier: Apache-2.0
//
// The context of one Verilated model. Verilator 5.032 traces every model that a context has ever
// had, destroyed ones included, so each model needs a context of its own.
#ifndef VTA_SIM_RTL_MODEL_CONTEXT_H_
#define VTA_SIM_RTL_MODEL_CONTEXT_H_

#include <verilated.h>

namespace vta::sim {

class ModelContext {
 public:
  // For the constructor of the model.
  VerilatedContext* get() { return &context_; }

  // Call after that constructor, which makes the context that of the thread: the next model without
  // a context, maybe after this one has been destroyed, would take it.
  void leave_thread() { Verilated::threadContextp(previous_); }

 private:
  VerilatedContext* const previous_ = Verilated::threadContextp();
  VerilatedContext context_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_MODEL_CONTEXT_H_
