# SPDX-License-Identifier: Apache-2.0
"""Progress bars by tqdm, which is optional."""
from __future__ import annotations

import contextlib
from typing import Iterator

from . import errors
from .session import ProgressFunction


@contextlib.contextmanager
def shown(progress: ProgressFunction | bool | None) -> Iterator[ProgressFunction | None]:
    """The function that shows progress: the given one, or that of a tqdm bar for True."""
    if progress is None or progress is False:
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
