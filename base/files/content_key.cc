// SPDX-License-Identifier: Apache-2.0
#include "base/files/content_key.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/errors/error.h"

namespace vta {
namespace {

struct Free {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

struct Sha256 {
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};

  Sha256() {
    VTA_ASSERT(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1,
               "OpenSSL has SHA-256");
  }

  void update(const void* data, size_t size) {
    VTA_ASSERT(EVP_DigestUpdate(context.get(), data, size) == 1, "SHA-256 cannot fail");
  }

  std::string finish() {
    std::array<uint8_t, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    VTA_ASSERT(EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1,
               "the key was taken before");
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }
};

}  // namespace

struct ContentKey::State : Sha256 {};

ContentKey::ContentKey() : state_(std::make_unique<State>()) {}
ContentKey::~ContentKey() = default;

ContentKey& ContentKey::add(std::span<const uint8_t> bytes) {
  const uint64_t size = bytes.size();
  state_->update(&size, sizeof(size));
  state_->update(bytes.data(), bytes.size());
  return *this;
}

ContentKey& ContentKey::add(std::string_view text) {
  return add(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

std::string ContentKey::text() { return state_->finish(); }

std::string sha256_text(std::string_view text) {
  Sha256 state;
  state.update(text.data(), text.size());
  return state.finish();
}

}  // namespace vta
