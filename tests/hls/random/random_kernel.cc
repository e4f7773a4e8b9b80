// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/random_kernel.h"

#include <set>

#include "tests/hls/random/expressions.h"
#include "tests/hls/random/plan.h"
#include "tests/hls/random/process_writer.h"
#include "tests/hls/random/text.h"

namespace vta::kernels {
namespace {

void declare_streams(const KernelPlan& plan, Text& text) {
  std::set<std::string> types;
  for (const StreamPlan& stream : plan.streams) {
    if (!stream.item.declaration.empty()) types.insert(stream.item.declaration);
  }
  for (const std::string& type : types) text.line("{}", type);
  for (const StreamPlan& stream : plan.streams) {
    text.line("HLS_STREAM({}, {}, {});", stream.item.name, stream.name, stream.depth);
  }
}

void declare_objects(const ProcessPlan& process, Text& text) {
  for (const RegisterPlan& state : process.registers) {
    text.line("HLS_REGISTER({}, {});", type_of(state.bits, state.is_signed), state.name);
  }
  text.line("HLS_REGISTER(uint32_t, {});", process.sum);
  if (process.asks) {
    const ServicePlan& service = *process.asks;
    text.line("HLS_REGISTER({}, {});", unsigned_type(service.said.bits), service.said.name);
    text.line("HLS_TOKENS({}, {});", service.ask, service.ask_depth);
    text.line("HLS_TOKENS({}, {});", service.answer, service.answer_depth);
  }
  if (process.dram) {
    text.line("HLS_READ_PORT({}, {});", process.dram->source, process.dram->source_bursts);
    text.line("HLS_WRITE_PORT({}, {});", process.dram->target, process.dram->target_bursts);
  }
  for (const RamPlan& ram : process.rams) {
    if (ram.is_borrowed) continue;
    if (ram.lanes > 1) {
      text.line("struct {} {{ {} v[{}]; }};", ram.word, unsigned_type(ram.bits), ram.lanes);
    }
    if (ram.banks > 1) {
      text.line("HLS_BANKED_RAM({}, {}, {}, {});", ram.word, ram.name, ram.depth, ram.banks);
    } else {
      text.line("HLS_RAM({}, {}, {});", ram.word, ram.name, ram.depth);
    }
  }
}

void define_functions(const KernelPlan& plan, Random& random, Text& text) {
  for (const std::string& function : plan.functions) {
    Expressions arguments(random);
    arguments.variables() = {{"a"}, {"b"}};
    text.open("static uint32_t {}(uint32_t a, uint32_t b)", function);
    const std::string early = arguments.condition(kAnything, 1).text;
    text.line("if ({}) return {};", early, arguments.integer(32, kAnything, 2).text);
    text.line("return {};", arguments.integer(32, kAnything, 3).text);
    text.close();
  }
}

// The kernel's stimuli.
void describe_bench(const KernelPlan& plan, Random& random, Text& text) {
  text.line("#ifndef __HLSC__");
  text.open("KERNEL({}<>)", plan.name);
  for (const RegisterPlan& constant : plan.constants) {
    const uint64_t mask = ~uint64_t{0} >> (64 - constant.bits);
    text.line("constant(\"{0}\", &K::{0}, {1}ull);", constant.name, random.next() & mask);
  }
  for (const ProcessPlan& process : plan.processes) text.line("process(&K::{});", process.name);
  if (plan.dram_parts > 1) text.line("dram(random, {});", plan.dram_parts * kDramPartBytes);
  for (const ProcessPlan& process : plan.processes) {
    if (process.dram)
      text.line("port(&K::{}), port(&K::{});", process.dram->source, process.dram->target);
  }
  for (const StreamPlan& stream : plan.from_outside) {
    text.line("put_any(&K::{}, random, {});", stream.name, plan.num_items);
  }
  for (const StreamPlan& stream : plan.from_outside) {
    text.line("put_any_later(&K::{}, random, {});", stream.name, plan.num_items + 100);
  }
  for (const StreamPlan& stream : plan.to_outside) text.line("output(&K::{});", stream.name);
  text.close();
  text.line("#endif");
}

}  // namespace

std::string random_kernel_name(uint64_t seed) { return fmt::format("Random{}", seed); }

std::string random_kernel(uint64_t seed) {
  Random random(seed);
  const KernelPlan plan = random_plan(random, random_kernel_name(seed));
  Text text;
  text.line("// random_kernel({})", seed);
  text.line("#include \"tests/hls/kernel.h\"");
  text.line("template <class T = void>");
  text.open("struct {}", plan.name);
  declare_streams(plan, text);
  Expressions common(random);
  for (const RegisterPlan& constant : plan.constants) {
    text.line("HLS_INPUT({}, {});", unsigned_type(constant.bits), constant.name);
    common.variables().push_back({constant.name, constant.bits, false, kSteady, false, false});
  }
  define_functions(plan, random, text);
  for (const std::string& function : plan.functions) common.add_function(function);
  for (const ProcessPlan& process : plan.processes) declare_objects(process, text);
  for (const ProcessPlan& process : plan.processes) {
    ProcessWriter(random, text, process, common).write();
  }
  text.close(";");
  text.line("template struct {}<>;", plan.name);
  describe_bench(plan, random, text);
  return text.all();
}

}  // namespace vta::kernels
