// SPDX-License-Identifier: Apache-2.0
//
// vta-rpc-server with vta-sim as its client; and the libraries linked into the server for boards.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"
#include "tests/rpc/server_process.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;
using support::ServerProcess;

std::string uri_of(const ServerProcess& server) {
  return "rpc://127.0.0.1:" + std::to_string(server.port());
}

void expect_error(const std::vector<std::string>& command, int status, const std::string& what) {
  const ToolRun result = run(command);
  EXPECT_EQ(result.status, status);
  EXPECT_PRED2(matches, result.err, "^vta-[a-z-]+: error: [^\n]*\n$");
  EXPECT_PRED2(contains, result.err, what);
}

// The part of a report that must not depend on the location of the device.
json essence(json report) {
  for (const char* key :
       {"device", "device_seconds", "host_seconds", "compile_seconds", "wall_seconds"}) {
    report.erase(key);
  }
  return report;
}

TEST(RemoteDevice, RunsANetworkAsTheLocalOneDoesCyclesIncluded) {
  const ServerProcess server(0, {"--device", "cycle"}, "vta-rpc-server");
  const json there = run_json({"vta-sim", "run", kDigitsProgram, "--device", uri_of(server)});
  const json here = run_json({"vta-sim", "run", kDigitsProgram, "--device", "cycle"});
  EXPECT_EQ(there.at("device"), uri_of(server));
  EXPECT_EQ(essence(there).at("counters"), essence(here).at("counters"));
  EXPECT_EQ(essence(there).at("outputs"), essence(here).at("outputs"));
  ASSERT_EQ(there.at("layers").size(), here.at("layers").size());
  for (size_t i = 0; i < here.at("layers").size(); ++i)
    EXPECT_EQ(there.at("layers")[i].at("cycles"), here.at("layers")[i].at("cycles")) << i;
  EXPECT_GT(there.at("counters").at("cycles").get<uint64_t>(), 0u);
}

TEST(RemoteDevice, IsReachedByTlsWithTokenAndCertificateInFiles) {
  const ScratchFolder folder;
  EXPECT_EQ(run({"vta-rpc-server-board", "--make-certificate", folder / "tls"}).status, 0);
  const std::string certificate = folder / "tls/certificate.pem", token = folder / "tls/token";
  const ServerProcess server(
      0, {"--certificate", certificate, "--key", folder / "tls/key.pem", "--token-file", token});
  const std::string uri = uri_of(server);
  const std::vector<std::string> command = {"vta-sim", "run", kDigitsProgram, "--device"};
  const auto with = [&](const std::string& query) {
    std::vector<std::string> all = command;
    all.push_back(uri + query);
    return all;
  };
  const json local = run_json({"vta-sim", "run", kDigitsProgram, "--device", "functional"});
  EXPECT_EQ(essence(run_json(with("?ca=" + certificate + "&token-file=" + token))), essence(local));
  expect_error(with("?ca=" + certificate), 1, "the server requires a token");
  expect_error(with(""), 1, uri);
  expect_error(with("?token-file=" + certificate), 1, "not a token");
}

TEST(RemoteDevice, SamplesRunsWhereItIs) {
  const ScratchFolder folder;
  ASSERT_EQ(run({"vta-sim", "export", kDigitsProgram, folder / "raw"}).status, 0);
  const json program = json::parse(read_text_file(folder / "raw/program.json"));
  std::string stream;
  for (const json& step : program.at("steps")) {
    if (stream.empty() && step.at("kind") == "core") stream = step.at("file");
  }
  const std::vector<std::string> command = {"vta-sim", "exec",
                                            "--insns", folder / ("raw/" + stream),
                                            "--arena", folder / "raw/arena.bin"};
  const ServerProcess server(0, {});
  auto remote = command;
  remote.insert(remote.end(), {"--device", uri_of(server), "--repeat", "3", "--number", "2"});
  const json sampled = run_json(remote);
  EXPECT_EQ(sampled.at("repeat").at("seconds").size(), 3u);
  EXPECT_GT(sampled.at("repeat").at("mean_seconds").get<double>(), 0);
  const json once = run_json(command);
  EXPECT_EQ(sampled.at("counters"), once.at("counters"));
  EXPECT_FALSE(once.contains("repeat"));
}

TEST(RemoteDevice, TellsItsOwnTimeOfAnInference) {
  const ServerProcess server(0, {});
  std::vector<std::string> command = {"vta-sim",  "bench", kDigitsProgram, "--repeat", "3",
                                      "--number", "2",     "--device"};
  std::vector<std::string> remote = command;
  remote.push_back(uri_of(server));
  const json bench = run_json(remote);
  ASSERT_EQ(bench.at("remote_seconds").size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GT(bench.at("remote_seconds")[i].get<double>(), 0);
    EXPECT_LT(bench.at("remote_seconds")[i].get<double>(), bench.at("seconds")[i].get<double>());
  }
  EXPECT_PRED2(contains, run_ok(remote), "by the clock of its machine\n");
  command.push_back("functional");
  EXPECT_FALSE(run_json(command).contains("remote_seconds"));
}

TEST(RemoteDevice, ThatIsNotThereOrCannotIsOneLine) {
  expect_error({"vta-sim", "run", kDigitsProgram, "--device", "rpc://127.0.0.1:1"}, 1,
               "cannot connect");
  expect_error({"vta-sim", "run", kDigitsProgram, "--device", "rpc:x"}, 1, "rpc://HOST:PORT");
  const ServerProcess server(0, {"--core", "tiny_1x8"});
  const std::string uri = uri_of(server);
  expect_error({"vta-sim", "run", kDigitsProgram, "--device", uri}, 1, "the program is for a core");
  expect_error({"vta-sim", "run", kDigitsProgram, "--device", uri, "--memory", "ideal64"}, 1,
               "the server of");
  expect_error({"vta-sim", "run", kDigitsProgram, "--device", uri, "--trace", "/dev/null"}, 1,
               "--trace");
}

// The network does not exist: a command that reads it first would say so.
TEST(RemoteDevice, IsReachedBeforeTheNetworkIsCompiled) {
  for (const char* command : {"run", "bench", "profile"}) {
    expect_error({"vta-sim", command, "nothing.json", "--device", "rpc://127.0.0.1:1"}, 1,
                 "rpc://127.0.0.1:1: cannot connect");
  }
  expect_error({"vta-sim", "eval", "nothing.json", "--device", "rpc://127.0.0.1:1", "--dataset",
                "npz:digits/test.npz"},
               1, "rpc://127.0.0.1:1: cannot connect");
  const std::vector<std::string> run = {"vta-sim", "run", "nothing.json", "--device"};
  const std::pair<std::string, std::string> kWrong[] = {
      {"nothing", "unknown scheme 'nothing'"},
      {"cycle:nothing", "memory 'nothing' is neither a file"}};
  for (const auto& [uri, what] : kWrong) {
    std::vector<std::string> command = run;
    command.push_back(uri);
    expect_error(command, 1, what);
  }
}

TEST(RpcServerTool, RefusesWhatDoesNotGoTogether) {
  expect_error({"vta-rpc-server-board", "--certificate", "x"}, 2, "--certificate and --key");
  expect_error({"vta-rpc-server-board", "--client-ca", "x"}, 2, "--client-ca needs --certificate");
  expect_error({"vta-rpc-server-board", "--listen", "0.0.0.0:0"}, 1, "beyond loopback");
  expect_error({"vta-rpc-server-board", "--device", "nothing"}, 1, "unknown scheme");
  expect_error({"vta-rpc-server-board", "--core", "nothing"}, 1, "nothing");
}

TEST(RpcServerTool, RefusesSecretsThatOthersCanRead) {
  const ScratchFolder folder;
  EXPECT_EQ(run({"vta-rpc-server-board", "--make-certificate", folder / "tls"}).status, 0);
  const std::string certificate = folder / "tls/certificate.pem", key = folder / "tls/key.pem";
  const std::pair<std::string, std::string> kSecrets[] = {
      {"--token-file", folder / "tls/token"},
      {"--flash-token-file", folder / "tls/flash-token"},
      {"--key", key}};
  for (const auto& [option, file] : kSecrets) {
    std::filesystem::permissions(file, std::filesystem::perms(0644));
    std::vector<std::string> options = {option, file};
    if (option == "--key") options.insert(options.end(), {"--certificate", certificate});
    std::vector<std::string> command = {"vta-rpc-server-board", "--listen", "127.0.0.1:0"};
    command.insert(command.end(), options.begin(), options.end());
    expect_error(command, 1, file + ": mode 0644 lets others read or write this secret");
    options.push_back("--allow-readable-secrets");
    EXPECT_NO_THROW(ServerProcess(0, options)) << option;
  }
}

TEST(Tools, DoNotLetNamesControlTheTerminal) {
  const ScratchFolder folder;
  expect_error({"vta-sim", "run", kDigitsProgram, "--device", "x\x1b[2J\xc2\x9b"}, 1, "x?[2J?");
  const std::string out = run_ok({"vta-sim", "export", kDigitsProgram, folder / "a\x1b[2J"});
  EXPECT_PRED2(contains, out, "a?[2J: arena of");
}

TEST(RpcServerTool, RefusesWhatItWouldNotHeed) {
  const ScratchFolder folder;
  expect_error({"vta-rpc-server-board", "--name", "pynq"}, 2, "--name needs --make-certificate");
  const std::vector<std::string> kServing[] = {
      {"--listen", "127.0.0.1:0"}, {"--device", "functional"}, {"--insecure"},
      {"--token-file", "token"},   {"--max-clients", "3"},
  };
  for (const std::vector<std::string>& serving : kServing) {
    std::vector<std::string> command = {"vta-rpc-server-board", "--make-certificate",
                                        folder / "tls", "--name", "pynq"};
    command.insert(command.end(), serving.begin(), serving.end());
    expect_error(command, 2, "it does not go with " + serving[0]);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(RpcServerTool, RefusesLimitsBeyondItsOwn) {
  const std::pair<std::string, std::string> kBeyond[] = {{"--max-clients", "4097"},
                                                         {"--memory-per-client", "1073741825"},
                                                         {"--memory-total", "1073741825"},
                                                         {"--max-run-seconds", "1000000001"},
                                                         {"--idle-seconds", "1000000001"}};
  for (const auto& [name, value] : kBeyond) {
    expect_error({"vta-rpc-server-board", name, value}, 2, value + " is more than ");
    expect_error({"vta-rpc-server-board", name, "0"}, 2, "0 is less than 1");
  }
  const std::string help = run_ok({"vta-rpc-server-board", "--help"});
  EXPECT_PRED2(contains, help, "--max-clients N=32");
  EXPECT_PRED2(contains, help, "--memory-per-client MIB=512");
  EXPECT_PRED2(contains, help, "--max-run-seconds N=60");
  EXPECT_PRED2(contains, help, "--idle-seconds N=600");
}

TEST(BoardServer, LinksNothingThatOnlyHostsHave) {
  const std::string binary = tool_path("vta-rpc-server-board").string();
  const std::string libraries = run({"/usr/bin/ldd", binary}).out;
  EXPECT_PRED2(contains, libraries, "libcrypto");
  for (const char* name : {"LLVM", "clang-cpp", "onnx", "protobuf", "dnnl", "verilat", "libzip"}) {
    EXPECT_EQ(libraries.find(name), std::string::npos) << name;
  }
  const std::vector<uint8_t> bytes = read_file(binary);
  const std::string symbols(bytes.begin(), bytes.end());
  EXPECT_NE(symbols.find("_ZN3vta3rpc"), std::string::npos) << "symbols are there to look at";
  for (const char* name : {"_ZN4llvm", "Verilated", "_ZN4onnx", "dnnl_"}) {
    EXPECT_EQ(symbols.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace vta::cli_test
