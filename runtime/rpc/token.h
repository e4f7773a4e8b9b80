// SPDX-License-Identifier: Apache-2.0
//
// The token: a secret that clients must present.
#ifndef VTA_RUNTIME_RPC_TOKEN_H_
#define VTA_RUNTIME_RPC_TOKEN_H_

#include <filesystem>
#include <string>

namespace vta::rpc {

inline constexpr size_t kMinTokenChars = 16;
inline constexpr size_t kMaxTokenChars = 256;

// Checks that only its owner, or root and one group, can read or write a file with a secret. The
// group and others must have no permissions, except that the group may read it if it belongs to
// root. Files that do not exist pass. Errors: kInvalidArgument, naming the file and its mode.
void require_private(const std::filesystem::path& file);

// Errors: kInvalidArgument unless `token` has kMinTokenChars to kMaxTokenChars printable
// characters; the message names `what`, and does not show the token.
void check_token(const std::string& token, const std::string& what);

// Reads the first line of a file. Errors: kNotFound, kIo; also as check_token().
std::string read_token(const std::filesystem::path& file);

// Compares in constant time.
bool same_token(const std::string& expected, const std::string& given);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_TOKEN_H_
