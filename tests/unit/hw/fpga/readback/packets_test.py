# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/readback/packets.py on bitstreams made by hand."""
import pathlib
import struct
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.readback import packets  # noqa: E402

FAR, FDRI, LOUT, IDCODE = 1, 2, 8, 12


def columns(*counts):
    return {"configuration_columns": {str(column): {"frame_count": count} for column, count in enumerate(counts)}}


# Two rows at the top, one at the bottom.
PART = {"global_clock_regions": {
    "top": {"rows": {"0": {"configuration_buses": {"CLB_IO_CLK": columns(2, 1), "BLOCK_RAM": columns(1)}},
                     "1": {"configuration_buses": {"CLB_IO_CLK": columns(1)}}}},
    "bottom": {"rows": {"0": {"configuration_buses": {"CLB_IO_CLK": columns(2)}}}}}}
ADDRESSES = [0, 1, 0x80, 0x20000, 0x400000, 0x400001, 0x800000]
FRAMES = {address: tuple(range(index, index + 101)) for index, address in enumerate(ADDRESSES)}
PAD = [0] * 202


def write(register, *words):
    return [1 << 29 | 2 << 27 | register << 13 | len(words), *words]


def bit_file(words):
    return b"header" + struct.pack(f">{len(words) + 1}I", packets.SYNC, *words)


class Packets(unittest.TestCase):
    def test_addresses_go_by_block_half_row_and_column(self):
        self.assertEqual(packets.addresses(PART), ADDRESSES)

    def test_one_long_write_has_pad_frames_after_each_row(self):
        data = []
        for address in ADDRESSES:
            data += FRAMES[address] + tuple(PAD if address in (0x80, 0x20000, 0x400001, 0x800000) else ())
        words = [*write(IDCODE, 0x3727093), *write(FAR, 0), *write(FDRI), 2 << 29 | 2 << 27 | len(data), *data]
        found = packets.read(bit_file(words), PART)
        self.assertEqual((found.frames, found.idcode), (FRAMES, 0x3727093))

    def test_single_frames_go_where_the_address_register_points_when_the_next_one_comes(self):
        words = []
        for address in ADDRESSES:
            words += [*write(FDRI, *FRAMES[address]), *write(FAR, address)]
        words += [*write(FDRI, *PAD[:101]), *write(FAR, ADDRESSES[-1])]
        self.assertEqual(packets.read(bit_file(words), PART).frames, FRAMES)

    def test_a_debug_bitstream_names_the_address_of_each_frame(self):
        words = [*write(LOUT, 0), *write(FAR, 0)]
        for address in ADDRESSES:
            words += [*write(FDRI, *FRAMES[address]), *write(LOUT, address)]
        self.assertEqual(packets.read(bit_file(words), PART).frames, FRAMES)

    def test_files_that_are_no_bitstreams_are_errors(self):
        cases = [(b"text", "synchronization"), (bit_file(write(FAR, 0)), "no frames"),
                 (bit_file([*write(FAR, 0), 1 << 29 | 2 << 27 | FDRI << 13 | 500, 1]), "packet of 500 words"),
                 (bit_file([*write(FAR, 0), *write(FDRI, *PAD), *write(10, 0, 0)]), "compressed"),
                 (bit_file([*write(FAR, 0x7F), *write(FDRI, *PAD)]), "no such frame")]
        for data, text in cases:
            with self.subTest(text=text), self.assertRaisesRegex(packets.BitError, text):
                packets.read(data, PART)


if __name__ == "__main__":
    unittest.main()
