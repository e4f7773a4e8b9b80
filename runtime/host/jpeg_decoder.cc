// SPDX-License-Identifier: Apache-2.0
// clang-format off: jpeglib.h needs size_t and FILE before it
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <csetjmp>

#include "base/errors/error.h"
#include "runtime/host/image_formats.h"

namespace vta::host {
namespace {

// More scans than any encoder writes would only waste time.
constexpr int kMaxScans = 200;

// libjpeg reports an error by a call that must not return. Exceptions must not pass C frames, so
// the handler jumps to read_header() or read_pixels(), which therefore have no objects with
// destructors.
struct Decoder {
  jpeg_error_mgr errors;  // first: libjpeg passes a pointer to it
  jpeg_decompress_struct state;
  jpeg_progress_mgr progress;
  std::jmp_buf on_error;
  char message[JMSG_LENGTH_MAX] = "";
};

Decoder& decoder_of(j_common_ptr state) { return *static_cast<Decoder*>(state->client_data); }

void stop(j_common_ptr state) {
  Decoder& decoder = decoder_of(state);
  state->err->format_message(state, decoder.message);
  std::longjmp(decoder.on_error, 1);
}

// A level below 0 is a warning: the data are damaged, and libjpeg would continue with gray pixels.
void on_message(j_common_ptr state, int level) {
  if (level < 0) stop(state);
}

void on_progress(j_common_ptr state) {
  Decoder& decoder = decoder_of(state);
  if (decoder.state.input_scan_number <= kMaxScans) return;
  std::snprintf(decoder.message, sizeof decoder.message, "more than %d scans", kMaxScans);
  std::longjmp(decoder.on_error, 1);
}

void prepare(Decoder& decoder, std::span<const uint8_t> bytes) {
  decoder.state.err = jpeg_std_error(&decoder.errors);
  decoder.errors.error_exit = stop;
  decoder.errors.emit_message = on_message;
  decoder.state.client_data = &decoder;
  jpeg_create_decompress(&decoder.state);
  decoder.progress.progress_monitor = on_progress;
  decoder.state.progress = &decoder.progress;
  jpeg_mem_src(&decoder.state, bytes.data(), static_cast<unsigned long>(bytes.size()));
}

bool read_header(Decoder& decoder, std::span<const uint8_t> bytes) {
  if (setjmp(decoder.on_error) != 0) return false;
  prepare(decoder, bytes);
  jpeg_read_header(&decoder.state, TRUE);
  return true;
}

// `pixels`: `num_components` bytes each, in the color space `colors`.
bool read_pixels(Decoder& decoder, J_COLOR_SPACE colors, size_t num_components, uint8_t* pixels) {
  if (setjmp(decoder.on_error) != 0) return false;
  decoder.state.out_color_space = colors;
  decoder.state.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&decoder.state);
  while (decoder.state.output_scanline < decoder.state.output_height) {
    JSAMPROW row =
        pixels + num_components * decoder.state.output_width * decoder.state.output_scanline;
    jpeg_read_scanlines(&decoder.state, &row, 1);
  }
  jpeg_finish_decompress(&decoder.state);
  return true;
}

// The file stores 255 minus the amount of each ink, as Adobe's programs do; Pillow assumes this for
// all files, too.
void to_rgb(std::span<const uint8_t> inverse_cmyk, std::span<uint8_t> rgb) {
  for (size_t i = 0; i < rgb.size(); ++i) {
    const uint32_t light = inverse_cmyk[i / 3 * 4 + i % 3], black = inverse_cmyk[i / 3 * 4 + 3];
    rgb[i] = static_cast<uint8_t>((light * black + 127) / 255);
  }
}

struct Release {
  Decoder& decoder;
  ~Release() { jpeg_destroy_decompress(&decoder.state); }
};

}  // namespace

Image decode_jpeg(std::span<const uint8_t> bytes) {
  Decoder decoder{};
  const Release release{decoder};
  if (!read_header(decoder, bytes)) fail(ErrorCode::kCorrupt, "JPEG: {}", decoder.message);
  Image image = image_of_size(decoder.state.image_width, decoder.state.image_height);
  const J_COLOR_SPACE colors = decoder.state.jpeg_color_space;
  const bool is_cmyk = colors == JCS_CMYK || colors == JCS_YCCK;
  std::vector<uint8_t> cmyk(is_cmyk ? image.rgb.size() / 3 * 4 : 0);
  const bool success = is_cmyk ? read_pixels(decoder, JCS_CMYK, 4, cmyk.data())
                               : read_pixels(decoder, JCS_RGB, 3, image.rgb.data());
  if (!success) fail(ErrorCode::kCorrupt, "JPEG: {}", decoder.message);
  if (is_cmyk) to_rgb(cmyk, image.rgb);
  return image;
}

}  // namespace vta::host
