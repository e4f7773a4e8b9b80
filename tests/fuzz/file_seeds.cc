// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/file_seeds.h"

#include <fstream>

#include "base/files/file.h"
#include "compiler/schedule_log.h"
#include "configs/board_config.h"
#include "configs/memory_config.h"
#include "runtime/host/image.h"
#include "tests/support/board/bit_file.h"
#include "tests/unit/runtime/host/encoded_images.h"

namespace vta::fuzz {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

const fs::path kConfigs = VTA_SOURCE_ROOT "/configs";

Bytes ramp(size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(i * 37);
  return bytes;
}

// The files of a folder of configurations, with a first byte that selects their reader.
template <typename Parse>
void write_configs(const fs::path& folder, const char* kind, char selector, Parse parse) {
  for (const auto& entry : fs::directory_iterator(kConfigs / kind)) {
    const std::string name = std::string(kind) + "_" + entry.path().stem().string();
    const std::string text = read_text_file(entry.path());
    parse(text, name);
    write_file(folder / "config" / name, selector + text);
  }
}

void write_image(const fs::path& path, const Bytes& file) {
  host::decode_image(file, path);
  write_file(path, file);
}

}  // namespace

void write_image_seeds(const fs::path& folder) {
  const fs::path images = folder / "image";
  constexpr uint32_t kWidth = 6, kHeight = 5;
  const Bytes gray = ramp(kWidth * kHeight), rgb = ramp(3 * kWidth * kHeight),
              rgba = ramp(4 * kWidth * kHeight), wide = ramp(6 * kWidth * kHeight);
  const auto png = [&](int bits, int color_type, const Bytes& rows, const Bytes& palette = {}) {
    test::PngBuilder builder;
    builder.header(kWidth, kHeight, bits, color_type);
    if (!palette.empty()) builder.chunk("PLTE", palette);
    return builder.pixels(rows, kHeight).finish();
  };
  write_image(images / "png_rgb", png(8, 2, rgb));
  write_image(images / "png_rgba", png(8, 6, rgba));
  write_image(images / "png_16", png(16, 2, wide));
  write_image(images / "png_palette", png(4, 3, Bytes(kHeight * kWidth / 2, 0x12), ramp(3 * 16)));
  write_image(images / "jpeg_rgb", test::encode_jpeg(rgb, kWidth, kHeight, 3));
  write_image(images / "jpeg_cmyk", test::encode_jpeg(rgba, kWidth, kHeight, 4));
  write_image(images / "jpeg_progressive", test::encode_jpeg(gray, kWidth, kHeight, 1, true));
  write_image(images / "jpeg_rotated", test::with_exif(test::encode_jpeg(rgb, kWidth, kHeight, 3),
                                                       test::exif_with_orientation(6, true)));
  write_image(images / "webp", test::encode_webp(rgb, kWidth, kHeight));
  write_image(images / "webp_rotated", test::with_exif(test::encode_webp(rgb, kWidth, kHeight),
                                                       test::exif_with_orientation(8, false)));
  write_image(images / "bmp_24", test::encode_bmp(kWidth, kHeight, 24, ramp(20 * kHeight)));
  write_image(images / "bmp_8", test::encode_bmp(kWidth, -static_cast<int32_t>(kHeight), 8,
                                                 Bytes(8 * kHeight, 3), ramp(4 * 256)));
}

void write_config_seeds(const fs::path& folder) {
  write_configs(folder, "cores", '0', [](auto&... text) { parse_core_config(text...); });
  // The form of VTA's own vta_config.json.
  const std::string vta =
      R"({"TARGET": "sim", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5,
 "LOG_BATCH": 0, "LOG_BLOCK": 4, "LOG_UOP_BUFF_SIZE": 15, "LOG_INP_BUFF_SIZE": 15, "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17})";
  parse_core_config(vta, "vta_config");
  write_file(folder / "config" / "vta_config", '0' + vta);
  write_configs(folder, "memories", '1', [](auto&... text) { parse_memory_config(text...); });
  write_configs(folder, "boards", '2', parse_board_config);
  std::ifstream log(kConfigs / "schedules/vta_1x16.jsonl");
  std::string text, line;
  for (int i = 0; i < 3 && std::getline(log, line); ++i) text += line + "\n";
  parse_schedule_log(text, "three", load_core_config("vta_1x16"), kScheduleMemory);
  write_file(folder / "schedules" / "three", text);
}

void write_bitstream_seeds(const fs::path& folder) {
  write_file(folder / "bitstream" / "small", support::bit_file());
}

}  // namespace vta::fuzz
