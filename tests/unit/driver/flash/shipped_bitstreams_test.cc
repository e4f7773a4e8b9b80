// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/shipped_bitstreams.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/content_key.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/board/bit_file.h"

namespace vta::driver {
namespace {

std::string text_of(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<uint8_t> gzip(const std::vector<uint8_t>& content) {
  std::vector<uint8_t> packed(content.size() + 100);
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = const_cast<Bytef*>(content.data());
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

struct ShippedBitstreams : testing::Test {
  ShippedBitstreams() {
    ship("tiny_1x8@50", 50'000'000);
    ship("tiny_1x8@76.92", 76'923'076);
    ship("tiny_1x8_folded@100", 100'000'000);
  }

  void ship(const std::string& name, uint32_t clock_hz, const nlohmann::json& changes = {}) {
    const std::vector<uint8_t> packed = gzip(support::bit_file());
    nlohmann::json manifest = {{"name", name},
                               {"core", name.substr(0, name.find('@'))},
                               {"boards", {"pynq-z1", "pynq-z2"}},
                               {"clock_hz", clock_hz},
                               {"clock_class", "conservative"},
                               {"silicon", "it has not run on silicon"},
                               {"bit_sha256", sha256_text(text_of(support::bit_file()))},
                               {"gzip_sha256", sha256_text(text_of(packed))},
                               {"seed", 3}};
    if (changes.is_object()) manifest.update(changes);
    write_file(std::filesystem::path(folder / (name + ".bit.gz")), packed);
    write_file(std::filesystem::path(folder / (name + ".json")), manifest.dump());
  }

  ShippedBitstream load(const std::string& name, const std::string& board = "pynq-z1") {
    return load_shipped_bitstream(name, board, {folder / "missing", folder.path()});
  }

  void expect_error(const std::string& name, const std::string& part,
                    const std::string& board = "pynq-z1") {
    try {
      load(name, board);
      ADD_FAILURE() << name << ": no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  ScratchFolder folder;
};

TEST_F(ShippedBitstreams, AreReadByTheirNames) {
  const ShippedBitstream found = load("tiny_1x8@50", "pynq-z2");
  EXPECT_EQ(found.name, "tiny_1x8@50");
  EXPECT_EQ(found.core, "tiny_1x8");
  EXPECT_EQ(found.clock_hz, 50'000'000u);
  EXPECT_EQ(found.clock_class, "conservative");
  EXPECT_EQ(found.silicon, "it has not run on silicon");
  EXPECT_EQ(found.bit_file, support::bit_file());
}

TEST_F(ShippedBitstreams, TheNameOfACoreIsItsFastestBitstream) {
  EXPECT_EQ(load("tiny_1x8").name, "tiny_1x8@76.92");
  EXPECT_EQ(load("tiny_1x8_folded").core, "tiny_1x8_folded");
  ship("tiny_1x8@100", 100'000'000, {{"boards", {"zybo"}}});
  EXPECT_EQ(load("tiny_1x8").name, "tiny_1x8@76.92") << "the faster one is for another board";
  EXPECT_EQ(load("tiny_1x8", "zybo").name, "tiny_1x8@100");
}

TEST_F(ShippedBitstreams, AnotherBoardsFolderDoesNotHideTheBoards) {
  ScratchFolder first;
  for (const char* end : {".json", ".bit.gz"}) {
    ship("tiny_1x8@100", 100'000'000, {{"boards", {"zybo"}}});
    std::filesystem::rename(folder / (std::string("tiny_1x8@100") + end),
                            first / (std::string("tiny_1x8@100") + end));
  }
  for (const char* end : {".json", ".bit.gz"})
    std::filesystem::remove(folder / (std::string("tiny_1x8@100") + end));
  EXPECT_EQ(load_shipped_bitstream("tiny_1x8", "pynq-z1", {first.path(), folder.path()}).name,
            "tiny_1x8@76.92");
}

TEST_F(ShippedBitstreams, AnUnknownNameListsThoseThatShip) {
  const std::string all = "tiny_1x8@50, tiny_1x8@76.92, tiny_1x8_folded@100";
  for (const char* name : {"vta_1x16", "tiny_1x8@5", "tiny", "", "../tiny_1x8"})
    expect_error(name, "neither a file nor a bitstream that ships: " + all);
  std::filesystem::remove_all(folder.path());
  expect_error("tiny_1x8", "neither a file nor a bitstream that ships: none is installed");
}

TEST_F(ShippedBitstreams, AnotherBoardIsRefused) {
  expect_error("tiny_1x8@50", "tiny_1x8@50 is for pynq-z1, pynq-z2, not for board 'zybo'", "zybo");
}

TEST_F(ShippedBitstreams, ADamagedFileIsRefused) {
  const std::filesystem::path file = folder / "tiny_1x8@50.bit.gz";
  std::vector<uint8_t> packed = read_file(file);
  packed[packed.size() / 2] ^= 1;
  write_file(file, packed);
  expect_error("tiny_1x8@50", "the SHA-256 of the file is " + sha256_text(text_of(packed)));
  ship("tiny_1x8@50", 50'000'000, {{"bit_sha256", std::string(64, '0')}});
  expect_error("tiny_1x8@50", "the SHA-256 of the bitstream in it is");
  std::filesystem::remove(file);
  expect_error("tiny_1x8@50", "tiny_1x8@50.bit.gz");
}

TEST_F(ShippedBitstreams, ADamagedManifestIsRefused) {
  const std::vector<std::pair<nlohmann::json, std::string>> cases = {
      {{{"name", "other@50"}}, "name is 'other@50', expected that of the file"},
      {{{"clock_hz", -1}}, "field 'clock_hz': expected an integer"},
      {{{"boards", "pynq-z1"}}, "'boards': expected a list of strings"},
      {{{"boards", {1}}}, "'boards': expected a list of strings"},
      {{{"core", "../x"}}, "field 'core': expected"},
      {{{"bit_sha256", 7}}, "field 'bit_sha256': expected a string"}};
  for (const auto& [changes, part] : cases) {
    ship("tiny_1x8@50", 50'000'000, changes);
    expect_error("tiny_1x8@50", part);
    expect_error("tiny_1x8@50", "tiny_1x8@50.json");
  }
  write_file(std::filesystem::path(folder / "tiny_1x8@50.json"), std::string("{"));
  expect_error("tiny_1x8@50", "tiny_1x8@50.json");
}

}  // namespace
}  // namespace vta::driver
