// SPDX-License-Identifier: Apache-2.0
//
// Every function of vta.h with hostile arguments: NULL in each place, indices and counts up to
// 2^64 - 1, with and without data. A function that can fail returns a status other than VTA_OK or
// VTA_INTERNAL and writes no result; the others return NULL or 0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "tests/support/test_count.h"
#include "tools/c_api/vta.h"

namespace vta {
namespace {

// Valid objects of the digits network.
struct Objects {
  Objects() {
    EXPECT_EQ(vta_network_load("digits.json", nullptr, &network), VTA_OK) << vta_last_error();
    EXPECT_EQ(vta_compile(network, nullptr, &program), VTA_OK) << vta_last_error();
    EXPECT_EQ(vta_device_open("functional", program, &device), VTA_OK) << vta_last_error();
    EXPECT_EQ(vta_session_open(program, device, &session), VTA_OK) << vta_last_error();
    EXPECT_EQ(vta_reference_open(network, &reference), VTA_OK) << vta_last_error();
    EXPECT_EQ(vta_dataset_open("npz:digits/test.npz:3", program, &dataset), VTA_OK)
        << vta_last_error();
    const vta_buffer in = {x.data(), sizeof(x)}, out = {y.data(), sizeof(y)};
    EXPECT_EQ(vta_session_run(session, &in, 1, &out, 1, nullptr, &report), VTA_OK)
        << vta_last_error();
  }
  ~Objects() {
    vta_report_free(report);
    vta_dataset_free(dataset);
    vta_reference_free(reference);
    vta_session_free(session);
    vta_device_free(device);
    vta_program_free(program);
    vta_network_free(network);
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  vta_network* network = nullptr;
  vta_program* program = nullptr;
  vta_device* device = nullptr;
  vta_session* session = nullptr;
  vta_reference* reference = nullptr;
  vta_dataset* dataset = nullptr;
  vta_report* report = nullptr;
  std::array<float, 64> x{};
  std::array<float, 10> y{};
};

// What a call gets: hostile values, of which at least one must be refused.
class Arguments {
 public:
  explicit Arguments(uint64_t seed) : random_(seed) {}

  // Whether a value that must be refused has been given.
  bool is_hostile() const { return is_hostile_; }

  template <typename T>
  T* pointer(T* valid) {
    return random_.chance(60) ? valid : refused<T*>(nullptr);
  }
  // Where a result goes; it stays NULL if the call fails.
  template <typename T>
  T** result(T*& place) {
    place = nullptr;
    return random_.chance(80) ? &place : refused<T**>(nullptr);
  }
  size_t index(size_t end) {
    constexpr size_t kHuge[] = {SIZE_MAX, size_t{1} << 62, size_t{1} << 63, size_t{1} << 32};
    return refused(random_.chance(30) ? end : kHuge[random_.next() % 4]);
  }
  size_t count(size_t valid) {
    constexpr size_t kHuge[] = {0, 2, SIZE_MAX, size_t{1} << 62, (size_t{1} << 62) + 1};
    return random_.chance(50) ? valid : refused(kHuge[random_.next() % 5]);
  }
  const char* text(const char* valid) {
    constexpr const char* kWrong[] = {"",         "/",       "no/such", ":",
                                      "\xff\xfe", "rpc://?", "npz:",    "%s%n"};
    return random_.chance(50) ? valid : refused(kWrong[random_.next() % std::size(kWrong)]);
  }
  // Valid memory that no call reads or writes beyond `valid`'s size.
  vta_buffer buffer(void* valid, size_t num_bytes) {
    vta_buffer buffer = {valid, num_bytes};
    if (random_.chance(20)) buffer.data = refused<void*>(nullptr);
    if (random_.chance(20)) buffer.num_bytes = refused((size_t{1} << (random_.next() % 64)) + 1);
    if (buffer.num_bytes == num_bytes && buffer.data == valid) return buffer;
    is_hostile_ = true;
    return buffer;
  }
  template <typename T>
  T refused(T value) {
    is_hostile_ = true;
    return value;
  }
  Random& random() { return random_; }

 private:
  Random random_;
  bool is_hostile_ = false;
};

using Call = std::function<void(Objects&, Arguments&)>;

// A call that can fail. With arguments that are all valid it may succeed.
void expect_refused(vta_status status, const Arguments& arguments, const void* result) {
  EXPECT_NE(status, VTA_INTERNAL) << vta_last_error();
  if (!arguments.is_hostile()) return;
  EXPECT_NE(status, VTA_OK);
  EXPECT_NE(std::string(vta_last_error()), "");
  EXPECT_EQ(result, nullptr) << "a result is written on success only";
}

template <auto kFunction, typename Handle>
Call element_of(Handle* Objects::* object) {
  return [object](Objects& objects, Arguments& a) {
    EXPECT_EQ(kFunction(a.pointer(objects.*object), a.index(1 << 20)), nullptr);
  };
}

template <auto kFunction, typename Handle>
Call of_null(Handle* /*type*/) {
  return [](Objects&, Arguments&) { EXPECT_FALSE(kFunction(static_cast<Handle*>(nullptr))); };
}

template <auto kFree>
Call freed_null() {
  return [](Objects&, Arguments&) { kFree(nullptr); };
}

vta_compile_options hostile_compile_options(Objects& objects, Arguments& a) {
  static const char* const kNames[] = {"conv1"};
  vta_compile_options options{};
  options.struct_size = sizeof(options);
  switch (a.random().next() % 4) {
    case 0:
      options.struct_size = a.refused(a.random().next() % 2 == 0 ? size_t{4096} : size_t{12});
      break;
    case 1:
      options.keep_float = a.random().chance(50) ? kNames : nullptr;
      options.num_keep_float = a.refused(SIZE_MAX >> (a.random().next() % 8));
      break;
    case 2:
      options.calibration_data = a.random().chance(50) ? objects.x.data() : nullptr;
      options.num_calibration_inputs = a.refused(SIZE_MAX >> (a.random().next() % 8));
      break;
    default:
      options.calibration_data = a.refused(objects.x.data());  // without any
  }
  return options;
}

const std::map<std::string, Call>& calls() {
  static const std::map<std::string, Call> all = {
      {"vta_last_error", [](Objects&, Arguments&) { EXPECT_NE(vta_last_error(), nullptr); }},
      {"vta_version", [](Objects&, Arguments&) { EXPECT_NE(vta_version(), nullptr); }},
      {"vta_has_compiler", [](Objects&, Arguments&) { EXPECT_EQ(vta_has_compiler(), 1); }},
      {"vta_num_device_kinds", [](Objects&, Arguments&) { EXPECT_GT(vta_num_device_kinds(), 0u); }},
      {"vta_device_kind_at",
       [](Objects&, Arguments& a) { EXPECT_EQ(vta_device_kind_at(a.index(1 << 20)), nullptr); }},
      {"vta_program_open",
       [](Objects&, Arguments& a) {
         vta_program* program = nullptr;
         const vta_status status = vta_program_open(a.text(a.refused("no.vta")), a.result(program));
         expect_refused(status, a, program);
       }},
      {"vta_program_save",
       [](Objects& o, Arguments& a) {
         const vta_program* program = a.pointer(o.program);
         const char* path = a.pointer(a.refused("/no/such/folder/x.vta"));
         expect_refused(vta_program_save(program, path), a, nullptr);
       }},
      {"vta_program_parse",
       [](Objects&, Arguments& a) {
         const uint8_t file[] = {'V', 'T', 'A'};
         vta_program* program = nullptr;
         const char* name = a.text("file");
         const uint8_t* bytes = a.pointer(a.refused(&file[0]));
         const size_t size = a.random().next() % (sizeof(file) + 1);
         expect_refused(vta_program_parse(name, bytes, size, a.result(program)), a, program);
       }},
      {"vta_program_write",
       [](Objects& o, Arguments& a) {
         const vta_buffer buffer = a.buffer(o.x.data(), a.refused(sizeof(o.x)));
         const vta_program* program = a.pointer(o.program);
         expect_refused(vta_program_write(program, a.pointer(&buffer)), a, nullptr);
       }},
      {"vta_program_file_bytes",
       [](Objects&, Arguments& a) {
         size_t num_bytes = 0;
         const vta_program* program = a.refused<const vta_program*>(nullptr);
         size_t* const result = a.random().chance(50) ? &num_bytes : nullptr;
         expect_refused(vta_program_file_bytes(program, result), a, nullptr);
       }},
      {"vta_program_free", freed_null<vta_program_free>()},
      {"vta_program_info_of", of_null<vta_program_info_of>(static_cast<vta_program*>(nullptr))},
      {"vta_program_input", element_of<vta_program_input>(&Objects::program)},
      {"vta_program_output", element_of<vta_program_output>(&Objects::program)},
      {"vta_program_layer", element_of<vta_program_layer>(&Objects::program)},
      {"vta_program_label",
       [](Objects& o, Arguments& a) {
         const char* label = nullptr;
         const vta_status status =
             vta_program_label(a.pointer(o.program), a.index(10), a.result(label));
         expect_refused(status, a, label);
       }},
      {"vta_program_read_input",
       [](Objects& o, Arguments& a) {
         const vta_buffer buffer = a.buffer(o.x.data(), sizeof(o.x));
         const vta_program* program = a.pointer(o.program);
         const char* file = a.text(a.refused("no.png"));
         expect_refused(vta_program_read_input(program, file, a.pointer(&buffer)), a, nullptr);
       }},
      {"vta_program_decode_input",
       [](Objects& o, Arguments& a) {
         const uint8_t image[] = {0x89, 'P', 'N', 'G'};
         const vta_buffer buffer = a.buffer(o.x.data(), sizeof(o.x));
         const vta_program* program = a.pointer(o.program);
         const uint8_t* file = a.pointer(a.refused(&image[0]));
         const size_t huge = size_t{1} << (30 + a.random().next() % 34);
         const size_t size = a.random().chance(50) ? sizeof(image) : huge;
         expect_refused(vta_program_decode_input(program, file, size, a.pointer(&buffer)), a,
                        nullptr);
       }},
      {"vta_program_preprocess",
       [](Objects& o, Arguments& a) {
         const uint8_t pixels[3] = {};
         const vta_buffer buffer = a.buffer(o.x.data(), sizeof(o.x));
         const vta_program* program = a.pointer(o.program);
         const uint8_t* rgb = a.pointer(&pixels[0]);
         constexpr int64_t kSizes[] = {0, -1, INT64_MAX, INT64_MIN, int64_t{1} << 32};
         const int64_t height = a.refused(kSizes[a.random().next() % 5]);
         const int64_t width = a.random().chance(50) ? 1 : kSizes[a.random().next() % 5];
         expect_refused(vta_program_preprocess(program, rgb, height, width, a.pointer(&buffer)), a,
                        nullptr);
       }},
      {"vta_network_load",
       [](Objects&, Arguments& a) {
         vta_network_options options{};
         options.struct_size = a.random().chance(50) ? sizeof(options) : a.refused(size_t{9});
         options.input_size = a.random().chance(50) ? nullptr : a.refused("0x99999999999999999999");
         options.mean = a.random().chance(50) ? nullptr : a.refused("nan,inf,,");
         const char* const text = "1";
         if (a.random().chance(30)) {
           options.num_batch_axes = a.refused(SIZE_MAX >> (a.random().next() % 8));
           options.batch_axes = a.random().chance(50) ? nullptr : &text;
         }
         if (a.random().chance(30)) {
           options.num_input_shapes = a.refused(SIZE_MAX >> (a.random().next() % 8));
           options.input_shapes = a.random().chance(50) ? nullptr : &text;
         }
         if (a.random().chance(30)) {
           options.num_input_values = a.refused(SIZE_MAX >> (a.random().next() % 8));
           options.input_values = a.random().chance(50) ? nullptr : &text;
         }
         vta_network* network = nullptr;
         const char* name = a.text("digits.json");
         const vta_status status = vta_network_load(name, &options, a.result(network));
         expect_refused(status, a, network);
         vta_network_free(network);
       }},
      {"vta_network_parse",
       [](Objects&, Arguments& a) {
         const uint8_t model[] = {0x08, 0x08, 0xff};
         vta_network* network = nullptr;
         const char* name = a.text("model");
         const uint8_t* bytes = a.pointer(a.refused(&model[0]));
         const size_t size = a.random().next() % (sizeof(model) + 1);
         const vta_status status = vta_network_parse(name, bytes, size, nullptr, a.result(network));
         expect_refused(status, a, network);
       }},
      {"vta_network_free", freed_null<vta_network_free>()},
      {"vta_network_name", of_null<vta_network_name>(static_cast<vta_network*>(nullptr))},
      {"vta_network_batch", of_null<vta_network_batch>(static_cast<vta_network*>(nullptr))},
      {"vta_network_is_quantized",
       of_null<vta_network_is_quantized>(static_cast<vta_network*>(nullptr))},
      {"vta_network_note",
       [](Objects&, Arguments& a) { EXPECT_EQ(vta_network_note(nullptr, a.index(0)), nullptr); }},
      {"vta_network_num_inputs",
       of_null<vta_network_num_inputs>(static_cast<vta_network*>(nullptr))},
      {"vta_network_num_outputs",
       of_null<vta_network_num_outputs>(static_cast<vta_network*>(nullptr))},
      {"vta_network_input", element_of<vta_network_input>(&Objects::network)},
      {"vta_network_output", element_of<vta_network_output>(&Objects::network)},
      {"vta_node_refusals_of",
       [](Objects&, Arguments& a) {
         vta_node_refusals* refusals = nullptr;
         const char* model = a.text(a.refused("no.onnx"));
         const vta_status status = vta_node_refusals_of(model, a.result(refusals));
         expect_refused(status, a, refusals);
       }},
      {"vta_node_refusals_parse",
       [](Objects&, Arguments& a) {
         const uint8_t model[] = {0x08, 0x08, 0xff};
         vta_node_refusals* refusals = nullptr;
         const uint8_t* bytes = a.pointer(a.refused(&model[0]));
         const size_t size = 1 + a.random().next() % sizeof(model);
         const vta_status status = vta_node_refusals_parse(bytes, size, a.result(refusals));
         expect_refused(status, a, refusals);
       }},
      {"vta_node_refusals_size",
       of_null<vta_node_refusals_size>(static_cast<vta_node_refusals*>(nullptr))},
      {"vta_node_refusals_at",
       [](Objects&, Arguments& a) {
         EXPECT_EQ(vta_node_refusals_at(nullptr, a.index(0)), nullptr);
       }},
      {"vta_node_refusals_free", freed_null<vta_node_refusals_free>()},
      {"vta_compile",
       [](Objects& o, Arguments& a) {
         const vta_compile_options options = hostile_compile_options(o, a);
         vta_program* program = nullptr;
         const vta_network* network = a.pointer(o.network);
         const vta_status status = vta_compile(network, &options, a.result(program));
         expect_refused(status, a, program);
       }},
      {"vta_reference_open",
       [](Objects&, Arguments& a) {
         vta_reference* reference = nullptr;
         const vta_network* network = a.refused<const vta_network*>(nullptr);
         const vta_status status = vta_reference_open(network, a.result(reference));
         expect_refused(status, a, reference);
       }},
      {"vta_reference_run",
       [](Objects& o, Arguments& a) {
         const vta_buffer in = a.buffer(o.x.data(), sizeof(o.x));
         const vta_buffer out = a.buffer(o.y.data(), sizeof(o.y));
         vta_reference* reference = a.pointer(o.reference);
         const vta_buffer* inputs = a.pointer(&in);
         const size_t num_inputs = a.count(1);
         const vta_buffer* outputs = a.pointer(&out);
         expect_refused(vta_reference_run(reference, inputs, num_inputs, outputs, a.count(1)), a,
                        nullptr);
       }},
      {"vta_reference_output", element_of<vta_reference_output>(&Objects::reference)},
      {"vta_reference_free", freed_null<vta_reference_free>()},
      {"vta_dataset_open",
       [](Objects& o, Arguments& a) {
         vta_dataset* dataset = nullptr;
         const char* text = a.text(a.refused("npz:no.npz"));
         const vta_program* program = a.pointer(o.program);
         const vta_status status = vta_dataset_open(text, program, a.result(dataset));
         expect_refused(status, a, dataset);
       }},
      {"vta_dataset_free", freed_null<vta_dataset_free>()},
      {"vta_dataset_size", of_null<vta_dataset_size>(static_cast<vta_dataset*>(nullptr))},
      {"vta_dataset_labels", of_null<vta_dataset_labels>(static_cast<vta_dataset*>(nullptr))},
      {"vta_dataset_read",
       [](Objects& o, Arguments& a) {
         const vta_buffer buffer = a.buffer(o.x.data(), sizeof(o.x));
         const vta_dataset* dataset = a.pointer(o.dataset);
         const size_t index = a.random().chance(50) ? 0 : a.index(3);
         expect_refused(vta_dataset_read(dataset, index, a.pointer(&buffer)), a, nullptr);
       }},
      {"vta_device_open",
       [](Objects& o, Arguments& a) {
         vta_device* device = nullptr;
         const char* uri = a.text(a.refused("nothing:"));
         const vta_program* program = a.pointer(o.program);
         const vta_status status = vta_device_open(uri, program, a.result(device));
         expect_refused(status, a, device);
       }},
      {"vta_device_require_reachable",
       [](Objects&, Arguments& a) {
         const vta_status status = vta_device_require_reachable(a.text(a.refused("nothing:")));
         expect_refused(status, a, nullptr);
       }},
      {"vta_device_free", freed_null<vta_device_free>()},
      {"vta_device_info_of", of_null<vta_device_info_of>(static_cast<vta_device*>(nullptr))},
      {"vta_session_open",
       [](Objects& o, Arguments& a) {
         vta_session* session = nullptr;
         const vta_program* program = a.pointer(o.program);
         vta_device* device = a.refused<vta_device*>(nullptr);
         const vta_status status = vta_session_open(program, device, a.result(session));
         expect_refused(status, a, session);
       }},
      {"vta_session_free", freed_null<vta_session_free>()},
      {"vta_session_run",
       [](Objects& o, Arguments& a) {
         const vta_buffer in = a.buffer(o.x.data(), sizeof(o.x));
         const vta_buffer out = a.buffer(o.y.data(), sizeof(o.y));
         vta_run_options options{};
         options.struct_size = a.random().chance(70) ? sizeof(options) : a.refused(size_t{0});
         vta_session* session = a.pointer(o.session);
         const vta_buffer* inputs = a.pointer(&in);
         const size_t num_inputs = a.count(1);
         const vta_buffer* outputs = a.pointer(&out);
         const size_t num_outputs = a.count(1);
         vta_report* report = nullptr;
         const vta_status status =
             vta_session_run(session, inputs, num_inputs, outputs, num_outputs, &options, &report);
         expect_refused(status, a, report);
         vta_report_free(report);
       }},
      {"vta_session_output", element_of<vta_session_output>(&Objects::session)},
      {"vta_session_cancel", freed_null<vta_session_cancel>()},
      {"vta_report_totals", of_null<vta_report_totals>(static_cast<vta_report*>(nullptr))},
      {"vta_report_layer", element_of<vta_report_layer>(&Objects::report)},
      {"vta_report_free", freed_null<vta_report_free>()},
      {"vta_server_start",
       [](Objects&, Arguments& a) {
         vta_server_options options{};
         options.struct_size = sizeof(options);
         options.token = a.random().chance(50) ? nullptr : a.refused("short");
         options.listen = a.text(a.refused("no address"));
         vta_server* server = nullptr;
         const char* uri = a.text("functional");
         const vta_status status = vta_server_start(uri, nullptr, &options, a.result(server));
         expect_refused(status, a, server);
       }},
      {"vta_server_port", of_null<vta_server_port>(static_cast<vta_server*>(nullptr))},
      {"vta_server_free", freed_null<vta_server_free>()},
  };
  return all;
}

TEST(HostileArguments, AreTriedOnEveryFunctionOfTheHeader) {
  const std::string header = read_text_file("tools/c_api/vta.h");
  const std::regex declaration(R"(VTA_API [^;(]*?(vta_\w+)\()");
  std::set<std::string> declared, tried;
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at)
    declared.insert((*at)[1]);
  for (const auto& [name, call] : calls()) tried.insert(name);
  EXPECT_EQ(tried, declared);
}

TEST(HostileArguments, AreRefusedByEveryFunction) {
  Objects objects;
  const support::Seeds seeds = support::test_seeds(1, 200);
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    for (const auto& [name, call] : calls()) {
      SCOPED_TRACE(fmt::format("{} of seed {}", name, seed));
      Arguments arguments(seed);
      call(objects, arguments);
      if (::testing::Test::HasFailure()) return;
    }
  }
  const vta_buffer in = {objects.x.data(), sizeof(objects.x)};
  const vta_buffer out = {objects.y.data(), sizeof(objects.y)};
  EXPECT_EQ(vta_session_run(objects.session, &in, 1, &out, 1, nullptr, nullptr), VTA_OK)
      << "the session still works: " << vta_last_error();
}

}  // namespace
}  // namespace vta
