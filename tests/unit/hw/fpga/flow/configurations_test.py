# SPDX-License-Identifier: Apache-2.0
"""Tests of configurations.py."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import configurations  # noqa: E402


class Load(unittest.TestCase):
    def test_a_core_is_found_by_its_name(self):
        self.assertEqual(configurations.load("cores", "vta_1x16")["block_in"], 16)

    def test_a_file_elsewhere_is_refused_with_the_names_that_there_are(self):
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            core.with_suffix(".json").write_text("{}")
            for name in (core, core.with_suffix(".json")):
                with self.assertRaisesRegex(configurations.ConfigurationError, "no core '.*'; there are .*vta_1x16.*; a file of your own goes into "
                                                                                "configs/cores"):
                    configurations.load("cores", str(name))


if __name__ == "__main__":
    unittest.main()
