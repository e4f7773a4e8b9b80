# SPDX-License-Identifier: Apache-2.0
"""One call from a program and images to a board's results."""
from __future__ import annotations

import os
from typing import Iterable, Mapping, Union

import numpy as np

from . import board_pool, uri
from .program import Program
from .session import Session
from .tensors import Array

Image = Union[str, "os.PathLike[str]", Array, Mapping[str, Array]]


def run_on_board(board: str, program: Program | str | os.PathLike[str], images: Image | Iterable[Image]) -> list[list[Array]]:
    """Runs a program on a board and returns the outputs of each image, in order, as Session.run() does.

    board: the host name or address of a board with `vta-rpc-server`, "pynq", "10.0.0.11" or "pynq:9092" (default port 9091); or a
        device's URI, "labgrid:pynq-1". The server's certificate and token are those of VTA_RPC_CA and VTA_RPC_TOKEN_FILE
    program: a Program, or the name of a .vta file
    images: files, pixels (uint8 [height, width, 3], RGB), or inputs as the program takes them, several of
        them as a dictionary by name; one of these, or a sequence

    >>> outputs = vta.run_on_board("pynq", program, ["cat.jpg", "dog.jpg"])
    >>> [program.labels[vta.top_classes(scores)[0]] for (scores,) in outputs]
    """
    several = [images] if isinstance(images, (str, os.PathLike, np.ndarray, Mapping)) else list(images)
    with Session(program, device_uri(board)) as session:
        return [session.run(_input(session.program, image)) for image in several]


def device_uri(board: str) -> str:
    """Errors: InvalidArgumentError for what is neither a URI nor a host."""
    if "://" in board or board_pool.is_pool_uri(board) or board.startswith(("uio:", "xrt:")):
        return board
    host, colon, port = board.rpartition(":")
    if board.startswith("[") and board.endswith("]"):
        return uri.rpc_uri(board[1:-1], board_pool.SERVER_PORT)
    if not colon or (":" in host and not host.startswith("[")):  # a bare IPv6 address
        return uri.rpc_uri(board, board_pool.SERVER_PORT)
    return uri.rpc_uri(host.removeprefix("[").removesuffix("]"), uri.checked_port(port))


def _input(program: Program, image: Image) -> Array | Mapping[str, Array]:
    if isinstance(image, (str, os.PathLike)):
        return program.read_input(image)
    if isinstance(image, np.ndarray) and image.dtype == np.uint8 and image.ndim == 3:
        return program.preprocess(image)
    return image
