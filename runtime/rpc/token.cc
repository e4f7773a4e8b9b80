// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/token.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/errors/error.h"
#include "base/files/file.h"

namespace vta::rpc {
namespace {

constexpr uint64_t kMaxFileBytes = 4096;

// A digest has the same length for every token.
std::array<uint8_t, SHA256_DIGEST_LENGTH> digest(const std::string& token) {
  std::array<uint8_t, SHA256_DIGEST_LENGTH> result;
  SHA256(reinterpret_cast<const uint8_t*>(token.data()), token.size(), result.data());
  return result;
}

}  // namespace

void require_private(const std::filesystem::path& file) {
  struct stat status;
  if (::stat(file.c_str(), &status) != 0) return;  // its reader reports it
  const mode_t allowed = status.st_uid == 0 ? 0640 : 0600;
  const mode_t mode = status.st_mode & 0777;
  if (!S_ISREG(status.st_mode) || (mode & ~(allowed | 0100)) == 0) return;
  fail(ErrorCode::kInvalidArgument,
       "{}: mode {:04o} lets others read or write this secret; expected {:04o} (chmod), or "
       "--allow-readable-secrets",
       file.string(), mode, allowed);
}

void check_token(const std::string& token, const std::string& what) {
  const bool printable =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!printable || token.size() < kMinTokenChars || token.size() > kMaxTokenChars) {
    fail(ErrorCode::kInvalidArgument,
         "{} of {} characters is not a token of {} to {} printable characters", what, token.size(),
         kMinTokenChars, kMaxTokenChars);
  }
}

std::string read_token(const std::filesystem::path& file) {
  std::string token = read_text_file(file, kMaxFileBytes);
  token.resize(std::min(token.find_first_of("\r\n"), token.size()));
  check_token(token, file.string() + ": its first line");
  return token;
}

bool same_token(const std::string& expected, const std::string& given) {
  const auto a = digest(expected), b = digest(given);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace vta::rpc
