# SPDX-License-Identifier: Apache-2.0
"""The Python examples of the documents work, and print what their comments say."""
import re

import pytest

EXAMPLES = ("README.md", "python/README.md")


def examples(text):
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples_run(path, root, capsys):
    found = examples((root / path).read_text())
    assert found
    for code in found:
        exec(compile(code, path, "exec"), {})
        printed = capsys.readouterr().out.splitlines()
        promised = re.findall(r"^\s*print\(.*\)  # (.*)$", code, re.MULTILINE)
        assert printed[:len(promised)] == promised, code
