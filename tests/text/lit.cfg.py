# SPDX-License-Identifier: Apache-2.0
"""Text cases: each file says in its RUN lines which commands run, and in its CHECK lines what they print (README.md)."""
import os
import sys

import lit.formats

config.name = "text"  # noqa: F821: of lit
config.test_format = lit.formats.ShTest(True)  # noqa: F821
config.suffixes = [".check", ".hlsir"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = lit_config.params["scratch"]  # noqa: F821
config.substitutions.append(("%root", os.path.dirname(os.path.dirname(config.test_source_root))))  # noqa: F821
config.substitutions.append(("%python", sys.executable))  # noqa: F821
config.environment["PATH"] = os.pathsep.join([lit_config.params["tools"], lit_config.params["llvm"], os.environ["PATH"]])  # noqa: F821
