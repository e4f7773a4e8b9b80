// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

Trial trial(const std::string& task, int64_t th, uint64_t cycles, bool kept = false) {
  Trial trial;
  trial.task = task;
  trial.tiling.th = th;
  trial.tiling.wgt_slots = 3;
  trial.tiling.channels_outer = true;
  trial.neighbours = "1 x 1 x 1 x 1, slots 1 x 1";
  trial.cycles = cycles;
  if (kept) trial.of_network = Trial::OfNetwork{"net", 11 * cycles, 10 * cycles};
  return trial;
}

class ScheduleLogTest : public testing::Test {
 protected:
  ScheduleLogTest() : core(load_core_config("vta_1x16")), file(folder / "log.jsonl") {}

  std::string line(const Trial& trial) const { return to_line(trial, core, "ideal64") + "\n"; }
  std::vector<Trial> parse(const std::string& text) const {
    return parse_schedule_log(text, "log", core, "ideal64");
  }
  lower::ScheduleBook book_of(const std::string& text) const {
    KeptTilings kept;
    kept.add(parse(text));
    return kept.book();
  }

  CoreConfig core;
  ScratchFolder folder;
  const std::string file;
};

TEST_F(ScheduleLogTest, ReadsWhatItWrote) {
  const std::vector<Trial> read = parse(line(trial("a", 7, 100)) + line(trial("b", 8, 90, true)));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].task, "a");
  EXPECT_TRUE(read[0].tiling.same_choices(trial("a", 7, 100).tiling));
  EXPECT_EQ(read[0].neighbours, "1 x 1 x 1 x 1, slots 1 x 1");
  EXPECT_EQ(read[0].cycles, 100u);
  EXPECT_FALSE(read[0].of_network.has_value());
  EXPECT_EQ(read[1].origin, "log:2");
  EXPECT_EQ(read[1].of_network->network, "net");
  EXPECT_EQ(read[1].of_network->cycles, 900u);
}

Trial::Together together(const std::string& task, int64_t th, uint64_t cycles) {
  return {{{task, trial(task, th, 0).tiling, cycles}}, 2 * cycles};
}

TEST_F(ScheduleLogTest, ReadsTilingsThatWereMeasuredTogether) {
  Trial pair = trial("a", 7, 100, true);
  pair.together = together("b", 5, 60);
  const std::vector<Trial> read = parse(line(pair));
  ASSERT_EQ(read.size(), 1u);
  ASSERT_TRUE(read[0].together.has_value());
  EXPECT_EQ(read[0].together->cycles, 120u);
  ASSERT_EQ(read[0].together->others.size(), 1u);
  EXPECT_EQ(read[0].together->others[0].task, "b");
  EXPECT_EQ(read[0].together->others[0].tiling.th, 5);
  EXPECT_EQ(read[0].together->others[0].cycles, 60u);
  EXPECT_EQ(line(read[0]), line(pair));
  const std::string no_cycles =
      std::regex_replace(line(pair), std::regex(",\"with_cycles\":120"), "");
  EXPECT_THROW(parse(no_cycles), Error);
}

// The pass over the network may take a tiling that is slower between its old neighbours.
TEST_F(ScheduleLogTest, TakesWhatANetworkKeptLast) {
  Trial first = trial("a", 7, 100, true), second = trial("a", 4, 110, true);
  first.of_network = {"net", 1000, 990};
  second.of_network = {"net", 990, 980};
  second.together = together("b", 5, 60);
  for (const std::string& log : {line(first) + line(second), line(second) + line(first)}) {
    const lower::ScheduleBook book = book_of(log);
    EXPECT_EQ(book.find("a")->tiling.th, 4);
    ASSERT_NE(book.find("b"), nullptr);
    EXPECT_EQ(book.find("b")->tiling.th, 5);
  }
  Trial elsewhere = trial("a", 8, 105, true);
  elsewhere.of_network = {"other", 50, 40};
  EXPECT_EQ(book_of(line(first) + line(second) + line(elsewhere)).find("a")->tiling.th, 8);
}

// A log replays what its search had at its end, for the network that was tuned.
TEST_F(ScheduleLogTest, TakesTheTilingsOfAStateTogether) {
  Trial kept = trial("a", 7, 100, true), start = trial("b", 4, 90), end_a = trial("a", 8, 120),
        end_b = trial("b", 5, 95), other = trial("a", 3, 10, true);
  kept.of_network = {"net", 1000, 990};
  start.of_network = {"net", 1000, 1000, true};
  end_a.of_network = end_b.of_network = {"net", 1000, 980, true};
  other.of_network = {"other", 50, 40};
  const auto book = [&](const std::string& text, const std::string& network) {
    KeptTilings kept;
    kept.add(parse(text));
    return kept.book(network);
  };
  EXPECT_EQ(line(parse(line(start))[0]), line(start));
  EXPECT_EQ(book(line(start), "net").find("b")->tiling.th, 4);
  const std::string log = line(kept) + line(start) + line(end_a) + line(end_b) + line(other);
  EXPECT_EQ(book(log, "net").find("a")->tiling.th, 8);
  EXPECT_EQ(book(log, "net").find("b")->tiling.th, 5);
  EXPECT_EQ(book(log, "third").find("a")->tiling.th, 3) << "the fastest between its neighbours";
}

// A killed tuner may leave any part of a line.
TEST_F(ScheduleLogTest, IgnoresATornLastLineOfAnyLengthAndAppendsAfterIt) {
  const std::string whole = line(trial("a", 7, 100)), next = line(trial("b", 8, 90));
  for (size_t length = 0; length < next.size(); length += 13) {
    write_file(file, whole + next.substr(0, length));
    ASSERT_EQ(read_schedule_log(file, core, "ideal64").size(), 1u) << length;
    ScheduleLog(file).append(to_line(trial("c", 4, 80), core, "ideal64"));
    const std::vector<Trial> read = read_schedule_log(file, core, "ideal64");
    ASSERT_EQ(read.size(), 2u) << length;
    ASSERT_EQ(read[1].task, "c");
  }
}

TEST_F(ScheduleLogTest, DoesNotCutAFileThatIsNotALog) {
  for (const std::string& text : {std::string("{\"name\": \"net\"}"),
                                  line(trial("a", 7, 100)) + "weights", std::string("x")}) {
    write_file(file, text);
    EXPECT_THROW(ScheduleLog{file}, Error) << text;
    EXPECT_EQ(read_text_file(file), text);
  }
}

TEST_F(ScheduleLogTest, NamesACompleteLineThatIsNotOfALog) {
  for (const std::string& bad :
       {std::string("{}"), std::string("not JSON"), std::string("{\"core\": 1"),
        to_line(trial("a", 0, 1), core, "ideal64"),  // no rows
        std::regex_replace(line(trial("a", 7, 1)), std::regex("\"th\":7,|\n"), ""),
        std::regex_replace(line(trial("a", 7, 1)), std::regex("\"th\":7|\n"), "\"th\":true"),
        std::regex_replace(line(trial("a", 7, 1)), std::regex("\"th\":7"), "\"t\":1,\"th\":7"),
        std::regex_replace(line(trial("a", 7, 1)), std::regex("\"cycles\":1}\n"),
                           "\"cycles\":-1}")}) {
    const Error error = expect_error([&] { parse(line(trial("a", 7, 100)) + bad + "\n"); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_NE(std::string(error.what()).find("log:2: not a line of a schedule log"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ScheduleLogTest, SaysWhereItExpectsIntegers) {
  const auto message = [&](const char* field, const char* other) {
    const std::string bad = std::regex_replace(line(trial("a", 7, 9)), std::regex(field), other);
    return std::string(expect_error([&] { parse(bad); }).what());
  };
  for (const char* th : {"1.5", "0", "-1", "\"1\""}) {
    const std::string expected = fmt::format("th: expected an integer of at least 1, got {}", th);
    EXPECT_NE(message("\"th\":7", ("\"th\":" + std::string(th)).c_str()).find(expected),
              std::string::npos)
        << th;
  }
  EXPECT_NE(message("\"cycles\":9", "\"cycles\":1.5")
                .find("cycles: expected an integer number of cycles, got 1.5"),
            std::string::npos);
}

TEST_F(ScheduleLogTest, SkipsOtherCoresAndMemories) {
  CoreConfig renamed = core, other = core;
  renamed.name = "mine";
  other.inp_buffer_bytes *= 2;
  const std::string text = to_line(trial("a", 7, 1), renamed, "ideal64") + "\n" +
                           to_line(trial("b", 7, 1), other, "ideal64") + "\n" +
                           to_line(trial("c", 7, 1), core, "pynq-z1") + "\n";
  const std::vector<Trial> read = parse(text);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].task, "a");
}

// Logs of several machines, in any order.
TEST_F(ScheduleLogTest, MergesByConcatenationAndTakesTheFewestCyclesOfATask) {
  const std::string one = line(trial("a", 7, 100, true)) + line(trial("a", 4, 50));
  const std::string two = line(trial("a", 8, 90, true)) + line(trial("b", 2, 70, true));
  for (const std::string& merged : {one + two, two + one, one + two + one}) {
    const lower::ScheduleBook book = book_of(merged);
    EXPECT_EQ(book.size(), 2u);
    EXPECT_EQ(book.find("a")->tiling.th, 8);
    EXPECT_EQ(book.find("b")->tiling.th, 2);
  }
}

TEST_F(ScheduleLogTest, LoadsALogOrNoneByName) {
  write_file(file, line(trial("a", 7, 100, true)));
  EXPECT_EQ(load_schedules({file}, core, "ideal64").find("a")->origin, file + ":1");
  EXPECT_EQ(load_schedules({file}, core, "pynq-z1").size(), 0u);
  EXPECT_EQ(load_schedules({kNoSchedules}, core, "ideal64").size(), 0u);
  EXPECT_THROW(load_schedules({file + ".missing"}, core, "ideal64"), Error);
  EXPECT_TRUE(names_memory({file}, "ideal64"));
  EXPECT_FALSE(names_memory({file}, "pynq-z1"));
  EXPECT_FALSE(names_memory({kNoSchedules}, "ideal64"));
}

// The depths of queues do not change a task.
TEST_F(ScheduleLogTest, LoadsTilingsOfCoresThatDifferInTheDepthsOfQueuesOnly) {
  CoreConfig shallow = core;
  shallow.command_queue_depth = 64;
  shallow.token_queue_depth = 256;
  Trial of_many_slots = trial("b", 7, 100, true);
  of_many_slots.tiling.inp_slots = 129;
  const auto of_core = [](const Trial& trial, const CoreConfig& of) {
    return to_line(trial, of, kScheduleMemory) + "\n";
  };
  write_file(file, of_core(trial("c", 2, 90, true), shallow) + line(trial("a", 7, 100, true)) +
                       line(of_many_slots) + line(trial("c", 8, 10, true)));
  const lower::ScheduleBook book = load_schedules({file}, shallow, kScheduleMemory);
  EXPECT_EQ(book.find("a")->tiling.th, 7);
  EXPECT_EQ(book.find("b"), nullptr) << "more slots than half of the token queue";
  EXPECT_EQ(book.find("c")->tiling.th, 2) << "the core's own";
  EXPECT_EQ(read_schedule_log(file, shallow, kScheduleMemory).size(), 1u)
      << "a search does not resume from another core's cycles";
  shallow.alu_folding = 2;
  EXPECT_EQ(load_schedules({file}, shallow, kScheduleMemory).size(), 0u);
}

// What ships is compact: each line is of a core in configs/cores, kept, and in use.
TEST_F(ScheduleLogTest, ShipsOnlyTilingsThatAreInUse) {
  const std::string shipped = "configs/schedules/vta_1x16.jsonl";
  const std::vector<Trial> trials = read_schedule_log(shipped, core, kScheduleMemory);
  const std::string text = read_text_file(shipped);
  EXPECT_EQ(trials.size(), static_cast<size_t>(std::ranges::count(text, '\n')));
  ASSERT_GT(trials.size(), 0u);
  const lower::ScheduleBook book = load_schedules({kZooSchedules}, core, kScheduleMemory);
  EXPECT_EQ(book.size(), trials.size());
  for (const Trial& trial : trials) {
    EXPECT_NE(text.find(line(trial)), std::string::npos) << trial.origin;
    EXPECT_TRUE(trial.of_network.has_value() && trial.of_network->kept()) << trial.origin;
    ASSERT_NE(book.find(trial.task), nullptr) << trial.origin;
    EXPECT_TRUE(book.find(trial.task)->tiling.same_choices(trial.tiling)) << trial.origin;
  }
  CoreConfig other = core;
  other.extension = false;
  EXPECT_EQ(load_schedules({kZooSchedules}, other, kScheduleMemory).size(), 0u);
  EXPECT_EQ(load_schedules({kZooSchedules}, core, "pynq-z1").size(), 0u);
}

// A choice of a tiling is in the line, in the comparison and in the key.
TEST_F(ScheduleLogTest, TellsTilingsApartByEveryChoice) {
  const Trial first = trial("a", 7, 100);
  for (size_t i = 0; i < lower::kNumTilingChoices; ++i) {
    Trial other = first;
    lower::TilingChoices choices = choices_of(first.tiling);
    choices[i] = choices[i] == 1 ? 2 : 1;
    other.tiling = lower::tiling_of(choices);  // of a bool, 2 is true
    if (other.tiling.same_choices(first.tiling)) {
      choices[i] = 0;
      other.tiling = lower::tiling_of(choices);
    }
    EXPECT_FALSE(other.tiling.same_choices(first.tiling)) << i;
    EXPECT_NE(line(other), line(first)) << i;
    EXPECT_TRUE(parse(line(other)).at(0).tiling.same_choices(other.tiling)) << i;
  }
}

}  // namespace
}  // namespace vta
