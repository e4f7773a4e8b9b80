#!python
# SPDX-License-Identifier: Apache-2.0
"""Runs the program of the package vta that has this file's name.

pip writes its interpreter into the first line. The package is found, not imported: that would load NumPy and libvta."""
import importlib.util
import os
import sys

name = os.path.basename(sys.argv[0])
package = importlib.util.find_spec("vta")
if package is None or package.origin is None:
    sys.exit(f"{name}: error: {sys.executable} has no package vta; install its wheel again")
program = os.path.join(os.path.dirname(package.origin), "bin", name)
try:
    os.execv(program, [sys.argv[0], *sys.argv[1:]])
except OSError as error:
    sys.exit(f"{name}: error: {program}: {error.strerror}; another package vta may come first in $PYTHONPATH")
