# SPDX-License-Identifier: Apache-2.0
"""The declarations of vta/_library.py are those of vta.h."""
import ctypes
import re

import pytest

import vta
from vta import _library, errors

SCALARS = {
    "size_t": ctypes.c_size_t, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64, "uint16_t": ctypes.c_uint16, "double": ctypes.c_double, "float": ctypes.c_float,
    "int": ctypes.c_int, "uint8_t": ctypes.c_uint8, "vta_progress_fn": _library.Progress,
}


@pytest.fixture(scope="module")
def header(root):
    text = re.sub(r"/\*.*?\*/", "", (root / "tools/c_api/vta.h").read_text(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"^#.*$", "", text, flags=re.MULTILINE))


def structures(header):
    """name -> [(type, member)]"""
    found = {}
    for name, body in re.findall(r"typedef struct (vta_\w+) \{(.*?)\} vta_\w+;", header):
        found[name] = [re.fullmatch(r"(.*?)(\w+(?:\[\w+\])*)", member.strip()).groups()
                       for member in body.split(";") if member.strip()]
    return found


def class_of(structure):
    return getattr(_library, "".join(word.capitalize() for word in structure.split("_")[1:]))


def ctype_of(c_type):
    c_type = c_type.replace("const", "").replace(" ", "")
    if c_type in ("char*",):
        return ctypes.c_char_p
    if c_type == "char**":
        return ctypes.POINTER(ctypes.c_char_p)
    if c_type == "void*":
        return ctypes.c_void_p
    if c_type.endswith("*"):
        inner = c_type[:-1]
        if inner in SCALARS:
            return ctypes.POINTER(SCALARS[inner])
        if inner.endswith("*"):
            return ctypes.POINTER(ctypes.c_void_p)  # a handle that is written
        declared = inner in DECLARED
        return ctypes.POINTER(class_of(inner)) if declared else ctypes.c_void_p
    return SCALARS[c_type] if c_type in SCALARS else class_of(c_type)


DECLARED = set()


def test_structures_have_the_header_s_members(header):
    found = structures(header)
    DECLARED.update(found)
    assert len(found) >= 12
    for name, members in found.items():
        fields = class_of(name)._fields_
        assert [field for field, _ in fields] == [member.split("[")[0] for _, member in members], name
        for (field, ctype), (c_type, member) in zip(fields, members):
            if "[" in member:
                assert ctype is (ctypes.c_uint64 * _library.NUM_STAGE_STATES) * _library.NUM_STAGES
                continue
            assert ctype is ctype_of(c_type), f"{name}.{field}"


def test_functions_have_the_header_s_arguments(header):
    DECLARED.update(structures(header))
    functions = re.findall(r"VTA_API (.*?)(vta_\w+)\((.*?)\);", header)
    assert {name for _, name, _ in functions} == set(_library.FUNCTIONS)
    for result, name, arguments in functions:
        expected, types = _library.FUNCTIONS[name]
        result = result.strip()
        if result == "vta_status":
            assert expected is None, name
        elif result == "void":
            assert expected == "void", name
        else:
            assert expected is ctype_of(result), name
        given = [] if arguments == "void" else [re.sub(r"\w+$", "", one.strip()) for one in arguments.split(",")]
        assert types == [ctype_of(one) for one in given], name


def test_every_status_has_an_exception(header):
    enumeration = re.search(r"typedef enum vta_status \{(.*?)\}", header).group(1)
    numbers = dict(re.findall(r"(VTA_\w+) = (\d+)", enumeration))
    assert numbers.pop("VTA_OK") == "0"
    assert {int(number) for number in numbers.values()} == set(errors._BY_STATUS)


def test_stages_and_states_have_the_header_s_numbers(header):
    for i, stage in enumerate(_library.STAGES):
        assert f"VTA_STAGE_{stage.upper()} = {i}" in header
    for i, state in enumerate(_library.STAGE_STATES):
        assert f"VTA_STATE_{state.upper()} = {i}" in header


def test_the_version_is_the_project_s(root):
    assert f"project(vta VERSION {vta.__version__} " in (root / "CMakeLists.txt").read_text()
