# SPDX-License-Identifier: Apache-2.0
"""Progress bars by tqdm, which is optional."""
from __future__ import annotations

import contextlib
import importlib.util
import sys
from typing import Iterator

from . import errors
from .session import ProgressFunction


def _is_notebook() -> bool:
    """Whether cells of Jupyter run this, which has imported IPython then."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextlib.contextmanager
def shown(progress: ProgressFunction | bool | None) -> Iterator[ProgressFunction | None]:
    """The function that shows progress: the given one, or that of a tqdm bar for True, and for None in Jupyter if tqdm is
    installed."""
    if progress is None:
        progress = _is_notebook() and importlib.util.find_spec("tqdm") is not None
    if progress is False:
        yield None
    elif progress is not True:
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise errors.UnsupportedError("progress=True needs tqdm: pip install tqdm") from error
        with tqdm(total=1.0, bar_format="{desc}: {percentage:3.0f}%|{bar}|") as bar:

            def show(what: str, fraction: float) -> None:
                bar.set_description_str(what)
                bar.n = fraction
                bar.refresh()

            yield show
            show("done", 1.0)  # tqdm's bar in Jupyter is red if it is closed before its end: after an error only
