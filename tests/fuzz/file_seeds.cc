// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/file_seeds.h"

#include <fstream>

#include "runtime/base/file.h"
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
void write_configs(const fs::path& folder, const char* kind, char selector) {
  for (const auto& entry : fs::directory_iterator(kConfigs / kind)) {
    const std::string name = std::string(kind) + "_" + entry.path().stem().string();
    write_file(folder / "config" / name, selector + read_text_file(entry.path()));
  }
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
  write_file(images / "png_rgb", png(8, 2, rgb));
  write_file(images / "png_rgba", png(8, 6, rgba));
  write_file(images / "png_16", png(16, 2, wide));
  write_file(images / "png_palette", png(4, 3, Bytes(kHeight * kWidth / 2, 0x12), ramp(3 * 16)));
  write_file(images / "jpeg_rgb", test::encode_jpeg(rgb, kWidth, kHeight, 3));
  write_file(images / "jpeg_cmyk", test::encode_jpeg(rgba, kWidth, kHeight, 4));
  write_file(images / "jpeg_progressive", test::encode_jpeg(gray, kWidth, kHeight, 1, true));
  write_file(images / "jpeg_rotated", test::with_exif(test::encode_jpeg(rgb, kWidth, kHeight, 3),
                                                      test::exif_with_orientation(6, true)));
  write_file(images / "webp", test::encode_webp(rgb, kWidth, kHeight));
  write_file(images / "webp_rotated", test::with_exif(test::encode_webp(rgb, kWidth, kHeight),
                                                      test::exif_with_orientation(8, false)));
  write_file(images / "bmp_24", test::encode_bmp(kWidth, kHeight, 24, ramp(20 * kHeight)));
  write_file(images / "bmp_8", test::encode_bmp(kWidth, -static_cast<int32_t>(kHeight), 8,
                                                Bytes(8 * kHeight, 3), ramp(4 * 256)));
}

void write_config_seeds(const fs::path& folder) {
  write_configs(folder, "cores", '0');  // 48, a multiple of 3
  write_configs(folder, "memories", '1');
  write_configs(folder, "boards", '2');
  std::ifstream log(kConfigs / "schedules/vta_1x16.jsonl");
  std::string text, line;
  for (int i = 0; i < 3 && std::getline(log, line); ++i) text += line + "\n";
  write_file(folder / "schedules" / "three", text);
}

void write_bitstream_seeds(const fs::path& folder) {
  write_file(folder / "bitstream" / "small", support::bit_file());
}

}  // namespace vta::fuzz
