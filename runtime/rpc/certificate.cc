// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/certificate.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <list>
#include <memory>

#include "base/errors/error.h"

namespace vta::rpc {
namespace {

namespace fs = std::filesystem;

constexpr int kTokenBytes = 32;
constexpr int kSerialBits = 127;

template <auto release>
struct Release {
  void operator()(auto* object) const { release(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509_free>>;
using Memory = std::unique_ptr<BIO, Release<BIO_free_all>>;

void require(bool done, const char* what) {
  if (done) return;
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  fail(ErrorCode::kIo, "certificate: {} fails: {}", what, reason.data());
}

// A subject alternative name: "IP:10.0.0.1" or "DNS:pynq".
std::string alternative(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == ':' || c == '_';
  });
  if (!plain)
    fail(ErrorCode::kInvalidArgument, "certificate: '{}' is not a host name or address", name);
  ASN1_OCTET_STRING* const address = a2i_IPADDRESS(name.c_str());
  ASN1_OCTET_STRING_free(address);
  return (address != nullptr ? "IP:" : "DNS:") + name;
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text = "DNS:localhost,IP:127.0.0.1,IP:::1";
  for (const std::string& name : names) text += "," + alternative(name);
  return text;
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(extension && X509_add_ext(certificate, extension.get(), -1) == 1, "its extension");
}

void set_random_serial(X509* certificate) {
  const std::unique_ptr<BIGNUM, Release<BN_free>> number(BN_new());
  require(number && BN_rand(number.get(), kSerialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
              BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr,
          "its number");
}

Certificate self_signed(EVP_PKEY* key, const std::vector<std::string>& names) {
  Certificate certificate(X509_new());
  require(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1, "making it");
  set_random_serial(certificate.get());
  // Valid from before any clock starts to the "no expiry" date of RFC 5280 (4.1.2.5).
  const auto set_time = [](ASN1_TIME* time, const char* text) {
    require(ASN1_TIME_set_string_X509(time, text) == 1, "its validity");
  };
  set_time(X509_getm_notBefore(certificate.get()), "19700101000000Z");
  set_time(X509_getm_notAfter(certificate.get()), "99991231235959Z");
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  const std::string common = names.empty() ? "vta-rpc-server" : names.front();
  require(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                     reinterpret_cast<const uint8_t*>(common.c_str()), -1, -1,
                                     0) == 1 &&
              X509_set_issuer_name(certificate.get(), subject) == 1 &&
              X509_set_pubkey(certificate.get(), key) == 1,
          "its subject");
  add_extension(certificate.get(), NID_subject_alt_name, alternatives(names));
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:FALSE");
  require(X509_sign(certificate.get(), key, EVP_sha256()) > 0, "signing it");
  return certificate;
}

// The PEM text that `write` puts into a BIO.
std::string pem_of(auto&& write) {
  const Memory memory(BIO_new(BIO_s_mem()));
  require(memory && write(memory.get()) == 1, "writing it");
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<size_t>(size)};
}

std::string random_token() {
  std::array<uint8_t, kTokenBytes> bytes;
  require(RAND_bytes(bytes.data(), kTokenBytes) == 1, "its token");
  return fmt::format("{:02x}\n", fmt::join(bytes, ""));
}

[[noreturn]] void fail_as_it_exists(const fs::path& path) {
  fail(ErrorCode::kInvalidArgument,
       "{}: exists already; a new certificate would lock out clients that have the old one",
       path.string());
}

struct NewFile {
  const char* name;
  std::string text;
  mode_t mode;  // whatever the umask
};

// A file that is removed by the destructor unless keep() was called.
class WrittenFile {
 public:
  WrittenFile(const fs::path& folder, const NewFile& file) : path_(folder / file.name) {
    const int descriptor =
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.mode);
    if (descriptor < 0 && errno == EEXIST) fail_as_it_exists(path_);
    if (descriptor < 0) fail_to_write(errno);
    int reason = ::fchmod(descriptor, file.mode) == 0 ? 0 : errno;
    const ssize_t length = ::write(descriptor, file.text.data(), file.text.size());
    if (length < 0 && reason == 0) reason = errno;
    const bool is_short = length >= 0 && static_cast<size_t>(length) < file.text.size();
    if (is_short && reason == 0) reason = ENOSPC;
    if (::close(descriptor) != 0 && reason == 0) reason = errno;
    if (reason == 0) return;
    remove();
    fail_to_write(reason);
  }
  ~WrittenFile() {
    if (!kept_) remove();
  }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;

  void keep() { kept_ = true; }

 private:
  [[noreturn]] void fail_to_write(int reason) const {
    fail(ErrorCode::kIo, "{}: {}", path_.string(), std::strerror(reason));
  }
  void remove() const {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

  const fs::path path_;
  bool kept_ = false;
};

// Writes all files or none.
void write_new(const fs::path& folder, const std::vector<NewFile>& files) {
  for (const NewFile& file : files) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(folder / file.name, ignored))) {
      fail_as_it_exists(folder / file.name);
    }
  }
  std::list<WrittenFile> written;
  for (const NewFile& file : files) written.emplace_back(folder, file);
  for (WrittenFile& file : written) file.keep();
}

// Creates the folder, if it does not exist, for its owner only.
void make_private_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder).lexically_normal();
  if (whole.has_parent_path()) fs::create_directories(whole.parent_path(), error);
  if (error) fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
  if (::mkdir(folder.c_str(), 0700) == 0) {
    if (::chmod(folder.c_str(), 0700) == 0) return;  // the umask may have removed more
  } else if (errno == EEXIST) {
    return;  // a file is reported when the first file is written
  }
  fail(ErrorCode::kIo, "{}: {}", folder.string(), std::strerror(errno));
}

}  // namespace

void make_certificate(const fs::path& folder, const std::vector<std::string>& names) {
  const Key key(EVP_EC_gen("P-256"));
  require(key != nullptr, "its key");
  const Certificate certificate = self_signed(key.get(), names);
  const std::string key_pem = pem_of([&](BIO* out) {
    return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
  const std::string certificate_pem =
      pem_of([&](BIO* out) { return PEM_write_bio_X509(out, certificate.get()); });

  make_private_folder(folder);
  write_new(folder, {{"key.pem", key_pem, 0600},
                     {"certificate.pem", certificate_pem, 0644},
                     {"token", random_token(), 0600},
                     {"flash-token", random_token(), 0600}});
}

}  // namespace vta::rpc
