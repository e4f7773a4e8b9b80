#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an initramfs: usage: initramfs.py OUT NAME=FILE...    (a cpio archive, newc format, compressed)

FILE may be a folder. Files keep their permissions: servers refuse secrets that others may read. Symbolic links stay links."""
import gzip
import os
import sys


def entry(name, mode, data=b"", device=(0, 0)):
    fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name) + 1, 0]
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    return head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4)


def file_entry(name, file):
    if os.path.islink(file):
        return entry(name, 0o120777, os.readlink(file).encode())
    with open(file, "rb") as opened:
        return entry(name, os.fstat(opened.fileno()).st_mode, opened.read())


def files_of(pairs):
    """Files by name, with those in folders."""
    files = {}
    for name, file in pairs:
        if not os.path.isdir(file):
            files[name] = file
        for folder, folders, inner in os.walk(file):
            links = [entry for entry in folders if os.path.islink(os.path.join(folder, entry))]
            for path in (os.path.join(folder, entry) for entry in [*inner, *links]):
                files[f"{name}/{os.path.relpath(path, file)}"] = path
    return files


def main():
    out, files = sys.argv[1], files_of(argument.split("=", 1) for argument in sys.argv[2:])
    folders = set()
    for name in files:
        parts = name.split("/")[:-1]
        folders |= {"/".join(parts[:depth + 1]) for depth in range(len(parts))}
    archive = bytearray().join(entry(folder, 0o40755) for folder in sorted({*folders, "dev"}))
    archive += entry("dev/console", 0o20600, device=(5, 1))
    for name, file in files.items():
        archive += file_entry(name, file)
    archive += entry("TRAILER!!!", 0)
    with open(out, "wb") as opened:
        opened.write(gzip.compress(archive, compresslevel=1, mtime=0))


if __name__ == "__main__":
    main()
