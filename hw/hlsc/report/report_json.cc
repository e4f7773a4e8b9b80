// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "hw/hlsc/report/report.h"

namespace vta::hlsc::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const NestReport& nest) {
  Json json = {{"loops", nest.loops},   {"place", nest.place},     {"interval", nest.interval},
               {"stages", nest.stages}, {"stalls", Json::array()}, {"rams", Json::array()}};
  for (const Stall& stall : nest.stalls) {
    json["stalls"].push_back({{"stage", stall.stage},
                              {"operation", stall.operation},
                              {"reason", stall.reason},
                              {"place", stall.place},
                              {"count", stall.count}});
  }
  for (const RamUse& use : nest.rams) {
    Json& ram = json["rams"].emplace_back(
        Json{{"ram", use.ram}, {"reads", use.reads}, {"writes", use.writes}});
    if (use.has_output_register) ram["output_register"] = true;
    if (use.distance) ram["distance"] = *use.distance;
  }
  return json;
}

Json json_of(const ScheduledOperation& op) {
  Json json = {{"loop", op.loop},
               {"part", op.in_head ? "head" : "body"},
               {op.in_nest ? "stage" : "step", op.step},
               {"ready_ns", op.ready_ns}};
  if (op.estimated_ns) json["estimated_ns"] = *op.estimated_ns;
  json.update({{"value", op.value}, {"operation", op.operation}, {"place", op.place}});
  return json;
}

Json json_of(const ProcessReport& process, bool with_operations) {
  Json json = {{"name", process.name},
               {"place", process.place},
               {"states", process.states},
               {"num_operations", process.operations},
               {"register_bits", process.register_bits},
               {"dsp48e1", process.dsp48e1},
               {"nests", Json::array()}};
  if (process.estimated_ns) json["estimated_ns"] = *process.estimated_ns;
  for (const NestReport& nest : process.nests) json["nests"].push_back(json_of(nest));
  if (!with_operations) return json;
  json["operations"] = Json::array();
  for (const ScheduledOperation& op : process.schedule) json["operations"].push_back(json_of(op));
  return json;
}

}  // namespace

std::string json_of(const Report& report, bool with_operations) {
  Json json = {{"design", report.design},
               {"period_ns", report.period_ns},
               {"processes", Json::array()},
               {"memories", Json::array()}};
  for (const ProcessReport& process : report.processes)
    json["processes"].push_back(json_of(process, with_operations));
  for (const MemoryReport& memory : report.memories) {
    json["memories"].push_back({{"name", memory.name},
                                {"kind", memory.is_fifo ? "fifo" : "ram"},
                                {"width", memory.width},
                                {"depth", memory.depth},
                                {"banks", memory.banks},
                                {"ramb36", memory.ramb36}});
  }
  // A file's name may hold any bytes.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace vta::hlsc::report
