// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/client_options.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "runtime/rpc/token.h"
#include "tests/support/error_in.h"

namespace vta::rpc {
namespace {

std::string error_of(const std::string& uri) {
  return error_in([&] { parse_client_uri(uri); }, ErrorCode::kInvalidArgument);
}

TEST(RpcUri, NamesAServer) {
  EXPECT_EQ(parse_client_uri("rpc://pynq").server.host, "pynq");
  EXPECT_EQ(parse_client_uri("rpc://pynq").server.port, kDefaultPort);
  EXPECT_EQ(parse_client_uri("rpc://10.0.0.2:80").server.port, 80);
  EXPECT_EQ(parse_client_uri("rpc://[::1]:80").server.host, "::1");
}

TEST(RpcUri, OfOtherFormsIsRefused) {
  for (const char* uri : {"rpc:", "rpc:pynq", "rpc://", "rpc://:1", "rpc://a:b", "rpc://a:70000",
                          "rpc://[::1", "rpc://[::1]x", "rpc://a:1x", "rpc://a:", "rpc://user@a:1",
                          "rpc://a/b", "rpc://a b", "rpc://[a/b]:1", "rpc://[]"}) {
    error_of(uri);
  }
  EXPECT_NE(error_of("rpc://a?token=secret").find("other than token-file="), std::string::npos);
  error_of("rpc://a?insecure");
  error_of("rpc://a?insecure=yes");
  EXPECT_NE(error_of("rpc://a?ca=x&insecure=1&ca=y").find("ca= is given twice"), std::string::npos);
  error_of("rpc://a?cert=x");
  error_of("rpc://a?cert=x&key=y");
}

TEST(RpcUri, SecretsInAUriAreNotRepeated) {
  for (const char* uri :
       {"rpc://hunter2@pynq", "rpc://user:hunter2@pynq:9091", "rpc://a@hunter2@b",
        "rpc://hunter2@a:70000", "rpc://pynq?token=hunter2", "rpc://pynq?hunter2",
        "rpc://hunter2@pynq?token=hunter2", "rpc://a?ca=hunter2&ca=hunter2", "rpc://a?key=hunter2",
        "rpc://a?key=hunter2&insecure=2", "rpc://pynq?hunter2==", "rpc://user:hunter2?x@pynq",
        "rpc://user:a?hunter2@pynq"}) {
    const std::string message = error_of(uri);
    EXPECT_NE(message, "") << uri;
    EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
  }
}

TEST(RpcUri, TakesWhatItDoesNotSayFromTheEnvironment) {
  const ScratchFolder folder;
  write_file(folder / "token", std::string("0123456789abcdef\n"));
  ::setenv("VTA_RPC_TOKEN_FILE", (folder / "token").c_str(), 1);
  ::setenv("VTA_RPC_CA", "ca.pem", 1);
  const ClientOptions from_environment = parse_client_uri("rpc://pynq");
  const ClientOptions from_uri = parse_client_uri("rpc://pynq?ca=other.pem&token-file=&insecure=1");
  ::unsetenv("VTA_RPC_TOKEN_FILE");
  ::unsetenv("VTA_RPC_CA");
  EXPECT_EQ(from_environment.token, "0123456789abcdef");
  EXPECT_EQ(from_environment.ca, "ca.pem");
  EXPECT_FALSE(from_environment.insecure);
  EXPECT_EQ(from_uri.token, "");
  EXPECT_EQ(from_uri.ca, "other.pem");
  EXPECT_TRUE(from_uri.insecure);
}

TEST(RpcToken, IsTheFirstLineOfAFileAndIsNeverShown) {
  const ScratchFolder folder;
  const auto token_of = [&](const std::string& text) {
    write_file(folder / "token", text);
    return read_token(folder / "token");
  };
  EXPECT_EQ(token_of("0123456789abcdef"), "0123456789abcdef");
  EXPECT_EQ(token_of("0123456789abcdef\r\nmore"), "0123456789abcdef");
  for (const std::string& wrong :
       {std::string(""), std::string("short"), std::string(257, 'x'),
        std::string("0123456789 abcdef"), std::string("0123456789abcdef\t")}) {
    const Error error = expect_error([&] { token_of(wrong); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    if (!wrong.empty()) {
      EXPECT_EQ(std::string(error.what()).find(wrong), std::string::npos);
    }
  }
}

TEST(RpcToken, IsPrivateToItsOwnerOrToRootAndOneGroup) {
  const ScratchFolder folder;
  const std::string file = folder / "token";
  write_file(file, std::string("0123456789abcdef"));
  const bool is_root = ::geteuid() == 0;
  const auto is_private = [&](mode_t mode) {
    EXPECT_EQ(::chmod(file.c_str(), mode), 0);
    try {
      require_private(file);
      return true;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("--allow-readable-secrets"), std::string::npos);
      return false;
    }
  };
  for (const mode_t mode : {0600, 0400, 0000}) EXPECT_TRUE(is_private(mode)) << mode;
  for (const mode_t mode : {0644, 0604, 0602, 0620, 0660, 0666})
    EXPECT_FALSE(is_private(mode)) << mode;
  EXPECT_EQ(is_private(0640), is_root);
  EXPECT_NO_THROW(require_private(folder / "missing")) << "its reader reports it";
  EXPECT_NO_THROW(require_private("/dev/null"));
}

TEST(RpcToken, IsComparedAsAWhole) {
  EXPECT_TRUE(same_token("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "bbc"}) EXPECT_FALSE(same_token("abc", other));
}

}  // namespace
}  // namespace vta::rpc
