#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the network files of configs/networks, their labels and the sample images.

The files are checked in; --check compares them with what this script writes (exit status 1 if they differ). Each family
of networks is a module of scripts/networks. Needs Python's standard library only.

Example:
  scripts/generate_networks.py --out /tmp/networks
"""

import argparse
import importlib
import pathlib
import pkgutil
import sys

import networks
from networks import imagenet_labels, layers, resnet20_cifar, yolov3_tiny
from networks.landscape import landscape


def all_networks():
    for module in pkgutil.iter_modules(networks.__path__):
        family = importlib.import_module(f"networks.{module.name}")
        if hasattr(family, "networks"):
            yield from family.networks()


def files():
    """Yields (name, bytes) of every file."""
    for network in all_networks():
        yield f"{network['name']}.json", layers.text(network).encode()
    for name, labels in (("resnet20_cifar", resnet20_cifar.LABELS), ("coco", yolov3_tiny.LABELS),
                         ("imagenet", imagenet_labels.LABELS)):
        yield f"{name}.labels.txt", "".join(f"{label}\n" for label in labels).encode()
    # 256x256 and 32x32: the sizes that the networks' preprocessing does not resize.
    yield "samples/landscape.png", landscape(256, 1)
    yield "samples/landscape_32.png", landscape(32, 6)


def main():
    default_out = pathlib.Path(__file__).resolve().parent.parent / "configs/networks"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--out", type=pathlib.Path, default=default_out)
    args = parser.parse_args()
    differing = []
    for name, content in files():
        path = args.out / name
        if path.exists() and path.read_bytes() == content:
            continue
        differing.append(name)
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    print("\n".join(differing) if differing else "all files are up to date")
    return 1 if args.check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
