#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a PyTorch model's weights as .safetensors, for `--weights` of vta-sim and vta-compile.

Needs PyTorch, and torchvision or timm if the source names them; no other part of the project does.

Example:
  scripts/export_torch.py torchvision:resnet50 resnet50.safetensors    # with its trained weights
  scripts/export_torch.py timm:mobilenetv2_100 mobilenet_v2.safetensors
  scripts/export_torch.py checkpoint.pth weights.safetensors --half
"""

import argparse
import json
import pathlib
import struct
import sys


def state_dict(source):
    import torch

    library, _, name = source.partition(":")
    if library == "torchvision":
        import torchvision

        return torchvision.models.get_model(name, weights="DEFAULT").state_dict()
    if library == "timm":
        import timm

        return timm.create_model(name, pretrained=True).state_dict()
    loaded = torch.load(source, map_location="cpu", weights_only=True)
    for key in ("state_dict", "model"):  # keys under which training scripts store it
        if key in loaded and isinstance(loaded[key], dict):
            return loaded[key]
    return loaded


def arrays(state, half):
    """(name, element type, shape, little-endian bytes) of every floating-point tensor."""
    for name, tensor in sorted(state.items()):
        if not tensor.is_floating_point():
            continue  # num_batches_tracked
        tensor = (tensor.half() if half else tensor.float()).contiguous()
        yield name, "F16" if half else "F32", list(tensor.shape), tensor.numpy().tobytes()


def safetensors(entries):
    header, data = {}, bytearray()
    for name, dtype, shape, content in entries:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="torchvision:NAME, timm:NAME, or a file that torch.load() reads")
    parser.add_argument("out", type=pathlib.Path, help="the .safetensors file to write")
    parser.add_argument("--half", action="store_true", help="store 16-bit floats: half the size")
    args = parser.parse_args()
    args.out.write_bytes(safetensors(arrays(state_dict(args.source), args.half)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
