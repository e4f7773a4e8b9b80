// SPDX-License-Identifier: Apache-2.0
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <array>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/verify_context.hpp>
#include <ctime>
#include <utility>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "runtime/rpc/tls.h"

namespace vta::rpc {
namespace {

namespace ssl = boost::asio::ssl;
namespace fs = std::filesystem;
using boost::system::error_code;

constexpr uint64_t kMaxPemBytes = 1 << 20;

using Bytes = std::vector<uint8_t>;

std::shared_ptr<ssl::context> make_context(ssl::context::method method) {
  auto context = std::make_shared<ssl::context>(method);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_3_VERSION);
  // A session is one connection: no resumption.
  SSL_CTX_set_num_tickets(context->native_handle(), 0);
  SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
  return context;
}

void require(const error_code& error, const fs::path& file, const char* what) {
  if (error)
    fail(ErrorCode::kCorrupt, "{}: expected a {}: {}", file.string(), what, error.message());
}

void use_identity(ssl::context& context, const fs::path& certificate, const fs::path& key) {
  error_code error;
  const Bytes certificate_pem = read_file(certificate, kMaxPemBytes);
  context.use_certificate_chain(boost::asio::buffer(certificate_pem), error);
  require(error, certificate, "certificate in PEM form");
  const Bytes key_pem = read_file(key, kMaxPemBytes);
  context.use_private_key(boost::asio::buffer(key_pem), ssl::context::pem, error);
  require(error, key, "private key of that certificate in PEM form");
  // OpenSSL keeps keys of other types than the certificate's beside it.
  if (SSL_CTX_check_private_key(context.native_handle()) != 1) {
    fail(ErrorCode::kCorrupt, "{}: expected the private key of the certificate {}", key.string(),
         certificate.string());
  }
}

void trust(ssl::context& context, const fs::path& ca) {
  error_code error;
  const Bytes pem = read_file(ca, kMaxPemBytes);
  context.add_certificate_authority(boost::asio::buffer(pem), error);
  require(error, ca, "certificate in PEM form");
  // Certificates in the file are trusted even if they are signed by another one.
  X509_STORE_set_flags(SSL_CTX_get_cert_store(context.native_handle()), X509_V_FLAG_PARTIAL_CHAIN);
}

// True if the certificate being verified is in the store itself; its name then does not matter.
bool is_pinned(X509_STORE_CTX* verification) {
  X509* const shown = X509_STORE_CTX_get_current_cert(verification);
  STACK_OF(X509_OBJECT)* objects = X509_STORE_get0_objects(X509_STORE_CTX_get0_store(verification));
  for (int i = 0; i < sk_X509_OBJECT_num(objects); ++i) {
    X509* const trusted = X509_OBJECT_get0_X509(sk_X509_OBJECT_value(objects, i));
    if (trusted != nullptr && X509_cmp(shown, trusted) == 0) return true;
  }
  return false;
}

std::string text_of(const std::tm& time) {
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &time);
  return text.data();
}

std::string text_of(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? text_of(parts) : "an unreadable date";
}

std::string clock_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return text_of(parts);
}

// Why OpenSSL refuses a certificate of the server's chain.
std::string refusal_text(X509_STORE_CTX* verification) {
  const int reason = X509_STORE_CTX_get_error(verification);
  const X509* const shown = X509_STORE_CTX_get_current_cert(verification);
  const bool is_expired = reason == X509_V_ERR_CERT_HAS_EXPIRED;
  if (shown == nullptr || (!is_expired && reason != X509_V_ERR_CERT_NOT_YET_VALID)) {
    return fmt::format(
        "the server's certificate is not trusted: {}; name it, or its signer's, with ca=FILE or "
        "VTA_RPC_CA",
        X509_verify_cert_error_string(reason));
  }
  const bool is_signer = X509_STORE_CTX_get_error_depth(verification) > 0;
  return fmt::format(
      "the {} {}: it is valid from {} to {}, and the clock of this machine is at "
      "{}; set the clock if it is wrong, else make a new certificate (vta-rpc-server "
      "--make-certificate: without expiry)",
      is_signer ? "certificate that signed the server's" : "server's certificate",
      is_expired ? "has expired" : "is not valid yet", text_of(X509_get0_notBefore(shown)),
      text_of(X509_get0_notAfter(shown)), clock_text());
}

}  // namespace

std::shared_ptr<ssl::context> server_context(const ServerTls& files) {
  const auto context = make_context(ssl::context::tls_server);
  use_identity(*context, files.certificate, files.key);
  if (!files.client_ca.empty()) {
    trust(*context, files.client_ca);
    context->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  }
  return context;
}

std::shared_ptr<ssl::context> client_context(
    const ClientTls& files, const std::string& host,
    std::function<void(const std::string& why)> on_refusal) {
  const auto context = make_context(ssl::context::tls_client);
  trust(*context, files.ca);
  context->set_verify_mode(ssl::verify_peer);
  context->set_verify_callback(
      [host, names = ssl::host_name_verification(host), on_refusal = std::move(on_refusal)](
          bool chain_is_good, ssl::verify_context& check) {
        if (!chain_is_good) {
          on_refusal(refusal_text(check.native_handle()));
          return false;
        }
        const bool is_servers = X509_STORE_CTX_get_error_depth(check.native_handle()) == 0;
        if (is_servers && is_pinned(check.native_handle())) return true;
        if (names(chain_is_good, check)) return true;
        on_refusal(
            fmt::format("the server's certificate is not for '{}'; use a name that it was "
                        "made for (--make-certificate --name), or name it itself with ca=FILE",
                        host));
        return false;
      });
  if (!files.certificate.empty()) use_identity(*context, files.certificate, files.key);
  return context;
}

}  // namespace vta::rpc
