// SPDX-License-Identifier: Apache-2.0
//
// Items of many fields and widths, unpacked and repacked.
#include "tests/hls/kernel.h"

template <class T = uint64_t>
struct StructItems {
  struct Packet {
    uint8_t kind, flags;
    uint16_t length;
    uint32_t address;
    T payload[3];
    int16_t tail[4];
  };
  struct Header {
    uint32_t address;
    uint16_t length;
    uint8_t flags, kind;
  };
  HLS_STREAM(Packet, in, 2);
  HLS_STREAM(Header, headers, 2);
  HLS_STREAM(Packet, out, 1);

  HLS_PROCESS run() {
    for (;;) {
      HLS_PIPELINE(1);
      Packet packet = in.read();
      headers.write(Header{packet.address, packet.length, packet.flags, packet.kind});
      const T first = packet.payload[0];
      packet.payload[0] = packet.payload[2];
      packet.payload[2] = first + packet.payload[1];
      packet.tail[1] = static_cast<int16_t>(packet.tail[0] - packet.tail[3]);
      packet.flags |= packet.kind == 3 ? 0x80 : 1;
      if ((packet.kind & 1) == 0) out.write(packet);
    }
  }
};
template struct StructItems<>;

#ifndef __HLSC__
KERNEL(StructItems<>) {
  process(&K::run);
  put_any(&K::in, random, 100);
  output(&K::headers);
  output(&K::out);
}
#endif
