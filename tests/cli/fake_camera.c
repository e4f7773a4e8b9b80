// SPDX-License-Identifier: Apache-2.0
//
// A fake Video4Linux camera: programs that preload this library see it as /dev/zero. It has two
// buffers and delivers frames of one shade each, 100, 101, ..., in the format of $FAKE_CAMERA (YUYV,
// or another, which it has no data for). Two frames become ready at a time, so that the first of
// them is outdated; the very first frame is outdated and marked as damaged.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { kWidth = 16, kHeight = 8, kPitch = 2 * kWidth + 4, kBytes = kPitch * kHeight, kBuffers = 2 };

static uint8_t* buffers[kBuffers];
static int queue[kBuffers], queued, ready, streams;  // `queue`: buffers to fill, in order
static uint32_t frames;

static uint32_t format(void) {
  const char* name = getenv("FAKE_CAMERA");
  return name == NULL ? V4L2_PIX_FMT_YUYV : v4l2_fourcc(name[0], name[1], name[2], name[3]);
}

static int fails(int error) {
  errno = error;
  return -1;
}

static int dequeue(struct v4l2_buffer* buffer) {
  if (ready == 0) return fails(EAGAIN);
  --ready;
  buffer->index = (uint32_t)queue[0];
  memmove(queue, queue + 1, (kBuffers - 1) * sizeof(queue[0]));
  --queued;
  buffer->bytesused = kBytes;
  buffer->flags = frames == 0 ? V4L2_BUF_FLAG_ERROR : 0;
  for (int i = 0; i < kBytes; i += 2) {
    buffers[buffer->index][i] = (uint8_t)(100 + frames);
    buffers[buffer->index][i + 1] = 128;
  }
  ++frames;
  return 0;
}

static int set_format(struct v4l2_pix_format* pixels) {
  pixels->width = kWidth, pixels->height = kHeight, pixels->bytesperline = kPitch;
  pixels->sizeimage = kBytes;
  pixels->pixelformat = format();
  return 0;
}

static int answer(unsigned long request, void* argument) {
  struct v4l2_buffer* const buffer = argument;
  switch (request) {
    case VIDIOC_QUERYCAP:
      ((struct v4l2_capability*)argument)->capabilities =
          V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
      return 0;
    case VIDIOC_S_FMT:
      return set_format(&((struct v4l2_format*)argument)->fmt.pix);
    case VIDIOC_REQBUFS:
      ((struct v4l2_requestbuffers*)argument)->count = kBuffers;  // fewer than asked for
      return 0;
    case VIDIOC_QUERYBUF:
      buffer->length = kBytes;
      buffer->m.offset = buffer->index * 4096;
      return 0;
    case VIDIOC_QBUF:
      queue[queued++] = (int)buffer->index;
      return 0;
    case VIDIOC_STREAMON:
      streams = 1;
      return 0;
    case VIDIOC_DQBUF:
      return dequeue(buffer);
    default:
      return fails(ENOTTY);
  }
}

int ioctl(int file, unsigned long request, ...) {
  (void)file;
  va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  return answer(request, argument);
}

int poll(struct pollfd* files, nfds_t count, int timeout_ms) {
  (void)count, (void)timeout_ms;
  ready = streams ? queued : 0;
  files[0].revents = POLLIN;
  return ready > 0;
}

void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  void* (*const real)(void*, size_t, int, int, int, off_t) =
      (void* (*)(void*, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
  void* const mapped = real(address, bytes, protection, flags, file, file < 0 ? offset : 0);
  if (file >= 0 && bytes == kBytes) buffers[offset / 4096] = mapped;
  return mapped;
}
