// SPDX-License-Identifier: Apache-2.0
//
// Random loops, most of which end, mean the same when their phis are narrowed.
// VTA_TEST_COUNT: designs, 500 if not given.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "hw/hlsc/passes/pipeline.h"
#include "tests/support/test_count.h"
#include "tests/unit/hlsc_passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

struct Value {
  std::string name;
  uint32_t width;
};

// The text of a design: loops of few bits, so that they also wrap.
class RandomLoops {
 public:
  explicit RandomLoops(uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string body;
    for (uint32_t i = 0; i < 3; ++i) {
      const uint32_t width = draw(1, 5);
      objects_ += fmt::format("input n{} : {}\n", i, width);
      body += fmt::format("%n{} : {} = input n{} 1:1\n", i, width, i);
      values_.push_back({fmt::format("%n{}", i), width});
    }
    for (uint32_t i = draw(1, 2); i > 0; --i) body += loop(2);
    for (const Value& value : values_) body += write(value);
    return "design d\n" + objects_ + "process run {\n" + body + "}\n";
  }

 private:
  struct Phi {
    Value value;
    std::string init, next;
  };

  uint32_t draw(uint32_t low, uint32_t high) {
    return static_cast<uint32_t>(random_.between(low, high));
  }
  Value fresh(uint32_t width) { return {fmt::format("%v{}", next_name_++), width}; }
  Value any() { return values_[draw(0, static_cast<uint32_t>(values_.size()) - 1)]; }

  std::string write(const Value& value) {
    const std::string stream = fmt::format("out{}", next_stream_++);
    objects_ += fmt::format("stream {} : {} x 1\n", stream, value.width);
    return fmt::format("stream_write {} 1:1, {}\n", stream, value.name);
  }
  std::string constant(uint32_t width) {
    const uint64_t mask = (uint64_t{1} << width) - 1;
    return fmt::format("{}:{}", (random_.chance(60) ? draw(0, 9) : random_.next()) & mask, width);
  }
  // A value or constant of this width; operations that convert it go to `code`.
  std::string of_width(uint32_t width, std::string& code) {
    if (random_.chance(25)) return constant(width);
    const Value from = any();
    if (from.width == width) return from.name;
    const Value made = fresh(width);
    const char* extension = random_.chance(80) ? "zext" : "sext";
    code += fmt::format("{} : {} = {} {}\n", made.name, width,
                        from.width > width ? "slice [0]" : extension, from.name);
    return made.name;
  }
  std::string operation(uint32_t width, const std::string& what, std::string& code) {
    const Value made = fresh(width);
    code += fmt::format("{} : {} = {}\n", made.name, width, what);
    return made.name;
  }

  std::string comparison(const Value& counter, std::string& code) {
    constexpr const char* kComparisons[] = {"ult", "ult", "ult", "ule", "slt", "sle", "ne", "eq"};
    std::string left = counter.name, right = of_width(counter.width, code);
    if (random_.chance(30)) right = constant(counter.width);
    if (random_.chance(20)) std::swap(left, right);
    const char* compare = kComparisons[draw(0, std::size(kComparisons) - 1)];
    return operation(1, fmt::format("{} {}, {}", compare, left, right), code);
  }
  std::string condition(const std::vector<Phi>& phis, std::string& code) {
    const auto one = [&] {
      const Phi& phi = phis[draw(0, static_cast<uint32_t>(phis.size()) - 1)];
      const bool stepped = !phi.next.empty() && random_.chance(60);
      return comparison(stepped ? Value{phi.next, phi.value.width} : phi.value, code);
    };
    std::string result = one();
    while (random_.chance(40)) {
      const std::string other = one();
      result = operation(
          1, fmt::format("{} {}, {}", random_.chance(75) ? "and" : "or", result, other), code);
    }
    return result;
  }

  std::string step(const Phi& phi, std::string& code) {
    const Value& counter = phi.value;
    const auto binary = [&](const char* what, const std::string& other) {
      return operation(counter.width, fmt::format("{} {}, {}", what, counter.name, other), code);
    };
    switch (draw(0, 8)) {
      case 0:
      case 1:
      case 2:
        return binary("add", fmt::format("1:{}", counter.width));
      case 3:
        return binary("add", constant(counter.width));
      case 4:
        return binary("sub", fmt::format("1:{}", counter.width));
      case 5:
        return binary(random_.chance(70) ? "add" : "sub", of_width(counter.width, code));
      case 6: {  // subtracts the minimum of both
        const std::string most = of_width(counter.width, code);
        const std::string below = operation(1, "ult " + counter.name + ", " + most, code);
        return binary("sub",
                      operation(counter.width,
                                fmt::format("select {}, {}, {}", below, counter.name, most), code));
      }
      case 7: {
        const std::string sum = binary("add", of_width(counter.width, code));
        const std::string chosen = of_width(1, code);
        return operation(counter.width, fmt::format("select {}, {}, {}", chosen, sum, counter.name),
                         code);
      }
      default:
        return of_width(counter.width, code);
    }
  }

  std::string loop(int depth) {
    std::string before, head, body;
    std::vector<Phi> phis(draw(1, 3));
    for (Phi& phi : phis) {
      phi.value = fresh(draw(1, 9));
      phi.init = of_width(phi.value.width, before);
    }
    const std::string predicate = random_.chance(80) ? "1:1" : of_width(1, before);
    const std::vector<Value> outside = values_;
    for (const Phi& phi : phis) values_.push_back(phi.value);
    const bool steps_first = random_.chance(25);
    if (steps_first) take_steps(phis, head);
    const std::string more = condition(phis, head);
    if (depth > 1 && random_.chance(50)) body += loop(depth - 1);
    if (random_.chance(50)) body += write(any());
    if (!steps_first) take_steps(phis, body);
    values_ = outside;
    return before + loop_text(phis, predicate, head, more, body) + after(phis, predicate);
  }
  std::string loop_text(const std::vector<Phi>& phis, const std::string& predicate,
                        const std::string& head, const std::string& more, const std::string& body) {
    std::string text = fmt::format("loop l{} if {} {{\n", next_name_++, predicate);
    for (const Phi& phi : phis) {
      text += fmt::format("phi {} : {} = {}, {}\n", phi.value.name, phi.value.width, phi.init,
                          phi.next);
    }
    return text + head + "} while " + more + " {\n" + body + "}\n";
  }
  void take_steps(std::vector<Phi>& phis, std::string& code) {
    for (Phi& phi : phis) phi.next = step(phi, code);
  }
  // Phis are used after the loop where it was entered.
  std::string after(const std::vector<Phi>& phis, const std::string& predicate) {
    std::string code;
    for (const Phi& phi : phis) {
      const Value used = fresh(phi.value.width);
      code += fmt::format("{} : {} = select {}, {}, {}\n", used.name, used.width, predicate,
                          phi.value.name, phi.init);
      values_.push_back(used);
    }
    return code;
  }

  Random random_;
  std::string objects_;
  std::vector<Value> values_;
  uint32_t next_name_ = 0, next_stream_ = 0;
};

template <class Transform>
void expect_meaning_kept(Transform transform) {
  constexpr uint64_t kTrials = 4;
  const uint64_t designs = support::test_count(500);
  uint64_t ended = 0;
  for (uint64_t seed = 0; seed < designs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("loops of seed " + std::to_string(seed));
    const std::string text = RandomLoops(seed).text();
    const ir::Design before = design_of(text);
    ir::Design after = design_of(text);
    transform(after);
    ir::verify(after);
    ended += expect_same_meaning(before, after, kTrials);
  }
  EXPECT_GT(ended, designs * kTrials / 2);
}

TEST(HlscRandomLoops, MeanTheSameWhenTheirCountersAreNarrow) {
  expect_meaning_kept([](ir::Design& design) {
    simplify(design, design.processes[0]);
    narrow_counters(design, design.processes[0]);
    simplify(design, design.processes[0]);
  });
}

TEST(HlscRandomLoops, MeanTheSameWithoutTheirDeadBits) {
  expect_meaning_kept([](ir::Design& design) {
    simplify(design, design.processes[0]);
    eliminate_dead_bits(design, design.processes[0]);
    simplify(design, design.processes[0]);
  });
}

TEST(HlscRandomLoops, MeanTheSameWhenTheyAreLegalized) {
  expect_meaning_kept([](ir::Design& design) { legalize(design, {.verify_each = true}); });
}

}  // namespace
}  // namespace vta::hlsc::passes
