# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the digits network, compiled once."""
import pathlib

import pytest

import vta


@pytest.fixture(scope="session")
def root():
    """The clone."""
    return pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def digits():
    return vta.compile("digits.json")


@pytest.fixture
def session(digits):
    with vta.Session(digits, device="functional") as session:
        yield session
