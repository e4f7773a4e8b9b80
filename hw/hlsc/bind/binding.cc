// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/binding.h"

#include "hw/hlsc/bind/posted_writes.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::bind {

using ir::ValueId;

namespace {

void bind_nest(const ir::Process& process, const schedule::ProcessSchedule& schedule,
               const schedule::Nest& nest, ProcessBinding& binding) {
  const schedule::PipelinedBody body(process, schedule, *nest.levels.back());
  std::map<ValueId, ProductPair> pairs;
  for (uint32_t stage = 0; stage < nest.stages; ++stage)
    pairs.merge(pair_products(process, body.operations(stage)));
  for (auto& [sum, packed] : pack_sums(process, body, pairs)) {
    for (const ProductPair& pair : packed.pairs) binding.packed_products.emplace(pair.low, pair);
    binding.packed_sums.emplace(sum, packed);
  }
  binding.pairs.merge(pairs);
}

}  // namespace

uint32_t ProcessBinding::dsp48e1() const {
  uint32_t count = 0;
  for (const Multiplier& multiplier : multipliers) count += multiplier.dsp48e1;
  return count;
}

ProcessBinding bind_process(const ir::Process& process, const schedule::ProcessSchedule& schedule) {
  ProcessBinding binding;
  for (const auto& [loop, nest] : schedule.nests) bind_nest(process, schedule, nest, binding);
  binding.multipliers = multipliers(process, binding.pairs);
  return binding;
}

Binding bind(const ir::Design& design, const schedule::Schedule& schedule) {
  Binding binding;
  binding.ram_ports = ram_ports(design);
  for (auto& [ram, ports] : binding.ram_ports)
    ports.posts_writes = can_post_writes(design, schedule, ram, ports);
  for (size_t i = 0; i < design.processes.size(); ++i)
    binding.processes.push_back(bind_process(design.processes[i], schedule.processes[i]));
  return binding;
}

}  // namespace vta::hlsc::bind
