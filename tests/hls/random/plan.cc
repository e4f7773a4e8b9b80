// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/hls/random/expressions.h"

namespace vta::kernels {
namespace {

ItemType integer_item(int bits, bool is_signed) {
  return {type_of(bits, is_signed), {"(", ")"}, "", {{"", bits, is_signed}}};
}

ItemType random_item(Random& random) {
  switch (random.between(0, 7)) {
    case 0:
      return {"Mixed",
              {"{", "}"},
              "struct Mixed { uint32_t a; uint16_t b; uint8_t c, d; };",
              {{".a", 32, false}, {".b", 16, false}, {".c", 8, false}, {".d", 8, false}}};
    case 1:
      return {"Long",
              {"{", "}"},
              "struct Long { uint64_t a; int32_t b; uint16_t c, d; };",
              {{".a", 64, false}, {".b", 32, true}, {".c", 16, false}, {".d", 16, false}}};
    case 2:
      return {"Lanes",
              {"{{", "}}"},
              "struct Lanes { int16_t v[4]; };",
              {{".v[0]", 16, true}, {".v[1]", 16, true}, {".v[2]", 16, true}, {".v[3]", 16, true}}};
    default:
      break;
  }
  const int bits = 8 << random.between(0, 3);
  return integer_item(bits, random.chance(30));
}

class Planner {
 public:
  Planner(Random& random, const std::string& name) : random_(random) { plan_.name = name; }

  KernelPlan run() {
    topology();
    for (ProcessPlan& process : plan_.processes) give_objects(process);
    give_servers();
    for (ProcessPlan& process : plan_.processes) give_dram(process);
    for (int64_t i = random_.between(0, 2); i > 0; --i) {
      RegisterPlan constant;
      constant.name = fmt::format("limit{}", i);
      constant.bits = 8 << random_.between(0, 3);
      plan_.constants.push_back(constant);
    }
    for (int64_t i = random_.between(0, 2); i > 0; --i) {
      plan_.functions.push_back(fmt::format("f{}", i));
    }
    plan_.num_items = static_cast<int>(random_.between(12, 40));
    return plan_;
  }

 private:
  StreamPlan stream(const std::string& name, bool once) {
    StreamPlan result{name, random_item(random_), static_cast<int>(random_.between(1, 4)), once};
    plan_.streams.push_back(result);
    return result;
  }
  ProcessPlan& process() {
    plan_.processes.emplace_back().name = fmt::format("p{}", plan_.processes.size());
    return plan_.processes.back();
  }
  void from_outside(size_t process, const std::string& name, bool once) {
    plan_.from_outside.push_back(stream(name, once));
    plan_.processes[process].inputs.push_back(plan_.from_outside.back());
  }
  void to_outside(size_t process, const std::string& name) {
    plan_.to_outside.push_back(stream(name, false));
    plan_.processes[process].outputs.push_back(plan_.to_outside.back());
  }
  void connect(size_t from, size_t to, bool once) {
    const StreamPlan between = stream(fmt::format("s{}{}", from, to), once);
    plan_.processes[from].outputs.push_back(between);
    plan_.processes[to].inputs.push_back(between);
  }

  void topology() {
    const int64_t kind = random_.between(0, 9);
    if (kind < 4) {
      process();
      const bool two = random_.chance(25);
      from_outside(0, "in", two);
      if (two) from_outside(0, "in2", true);
    } else if (kind < 8) {
      chain(random_.between(2, 3));
    } else {
      diamond();
    }
    to_outside(plan_.processes.size() - 1, "out");
    if (random_.chance(30)) to_outside(0, "out2");
  }
  void chain(int64_t length) {
    for (int64_t i = 0; i < length; ++i) process();
    from_outside(0, "in", false);
    for (size_t i = 1; i < plan_.processes.size(); ++i) connect(i - 1, i, false);
  }
  // 0 to 1 and 2, both to 3; a round of one process is a round of all.
  void diamond() {
    for (int i = 0; i < 4; ++i) process();
    from_outside(0, "in", false);
    connect(0, 1, true);
    connect(0, 2, true);
    connect(1, 3, true);
    connect(2, 3, true);
  }

  void give_objects(ProcessPlan& process) {
    int rank = 0;
    process.registers.push_back({process.name + "_stop", 1, false, ++rank});
    for (int64_t i = random_.between(0, 3); i > 0; --i) {
      RegisterPlan state;
      state.name = fmt::format("{}_r{}", process.name, i);
      state.bits = random_.chance(15) ? 1 : 8 << random_.between(0, 3);
      state.is_signed = random_.chance(30);
      state.rank = ++rank;
      process.registers.push_back(state);
    }
    for (int64_t i = random_.between(0, 2); i > 0; --i) {
      process.rams.push_back(ram(fmt::format("{}_m{}", process.name, i), ++rank));
    }
    process.sum = process.name + "_sum";
    process.interval = random_.chance(30) ? static_cast<int>(random_.between(1, 3)) : 0;
  }

  void give_servers() {
    std::vector<ProcessPlan> servers;
    for (ProcessPlan& process : plan_.processes) {
      if (random_.chance(35)) servers.push_back(server_of(process));
    }
    // An earlier process has priority at a RAM's port.
    auto& all = plan_.processes;
    all.insert(random_.chance(50) ? all.begin() : all.end(), servers.begin(), servers.end());
  }
  ProcessPlan server_of(ProcessPlan& process) {
    ServicePlan service;
    service.ask = process.name + "_ask";
    service.answer = process.name + "_answer";
    service.ask_depth = static_cast<int>(random_.between(1, 2));
    service.answer_depth = static_cast<int>(random_.between(1, 2));
    service.said.name = process.name + "_said";
    service.said.bits = 8 << random_.between(0, 2);
    ProcessPlan server;
    server.name = process.name + "_server";
    give_objects(server);
    int rank = static_cast<int>(server.registers.size() + server.rams.size());
    if (process.rams.empty()) process.rams.push_back(ram(process.name + "_m", kBorrowedRank));
    for (const RamPlan& lent : process.rams) {
      server.rams.push_back(lent);
      server.rams.back().is_borrowed = true;
      server.rams.back().rank = ++rank;
    }
    if (random_.chance(50)) server.seen.push_back(process.registers.back());
    process.seen.push_back(service.said);
    process.asks = server.serves = service;
    return server;
  }

  void give_dram(ProcessPlan& process) {
    if (process.interval != 0 || plan_.dram_parts > 2 || !random_.chance(15)) return;
    DramPlan& dram = process.dram.emplace();
    dram.source = process.name + "_source";
    dram.target = process.name + "_target";
    dram.source_bursts = static_cast<int>(random_.between(1, 3));
    dram.target_bursts = static_cast<int>(random_.between(1, 3));
    dram.own_bytes = kDramPartBytes * plan_.dram_parts++;
    dram.reads_own = random_.chance(50);
  }
  RamPlan ram(const std::string& name, int rank) {
    RamPlan ram;
    ram.name = name;
    ram.rank = rank;
    ram.depth = 4 << random_.between(0, 2);
    ram.banks = random_.chance(25) ? std::min(ram.depth / 2, 2 << random_.between(0, 1)) : 1;
    ram.lanes = random_.chance(50) ? 1 : 2 << random_.between(0, 2);
    ram.bits = 8 << random_.between(0, ram.lanes == 1 ? 3 : 2);
    ram.word = ram.lanes == 1 ? unsigned_type(ram.bits) : "Word_" + name;
    return ram;
  }

  static constexpr int kBorrowedRank = 100;  // higher than all others
  Random& random_;
  KernelPlan plan_;
};

}  // namespace

KernelPlan random_plan(Random& random, const std::string& name) {
  return Planner(random, name).run();
}

}  // namespace vta::kernels
