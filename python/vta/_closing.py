# SPDX-License-Identifier: Apache-2.0
"""Objects that a `with` statement closes."""
from __future__ import annotations

from typing import TypeVar

Self = TypeVar("Self", bound="Closing")


class Closing:
    """Closes itself at the end of a `with` statement."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
