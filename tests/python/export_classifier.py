#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports networks of torchvision by torch.onnx.export(dynamo=True), with random weights: export_classifier.py FOLDER [NAME...]

Writes FOLDER/NAME.onnx for vit_b_16, swin_t, convnext_tiny and deeplabv3_resnet50, or those named; image [1, 3, 224, 224]. Needs torch
2.6 or later and onnxscript: Debian 13's python3-torchvision and `pip install onnxscript onnx` (for deeplabv3_resnet50
onnxscript==0.2.0: with torch 2.6 later versions do not export batch norms). Exit status 3: too old, with a line.

Example:
  /usr/bin/python3 tests/python/export_classifier.py models vit_b_16
"""
import inspect
import pathlib
import sys
import warnings

NAMES = ("vit_b_16", "swin_t", "convnext_tiny", "deeplabv3_resnet50")
TOO_OLD = 3


def missing():
    """What the exporter lacks here, or None."""
    import torch
    if "dynamo" not in inspect.signature(torch.onnx.export).parameters:
        return f"torch {torch.__version__} has no dynamo exporter, 2.6 or later has"
    try:
        import onnxscript
    except ImportError:
        return "no onnxscript: pip install onnxscript"
    return None


def model_of(name):
    import torch
    import torchvision
    torch.manual_seed(1)
    if name == "deeplabv3_resnet50":
        return torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None).eval()
    model = getattr(torchvision.models, name)(weights=None)
    if name == "vit_b_16":  # torchvision begins with a head of zeros
        torch.nn.init.normal_(model.heads.head.weight, std=0.02)
    return model.eval()


def use_integers(model):
    """onnxscript 0.2 has booleans as integer attributes, which protobuf 6 refuses."""
    for node in model.graph:
        for attribute in node.attributes.values():
            if isinstance(attribute.value, bool):
                attribute.value = int(attribute.value)


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or NAMES
    lack = missing()
    if lack is not None:
        print(lack)
        return TOO_OLD
    import torch
    warnings.simplefilter("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        program = torch.onnx.export(model_of(name), (torch.zeros(1, 3, 224, 224),), dynamo=True, input_names=["image"])
        use_integers(program.model)
        program.save(str(folder / f"{name}.onnx"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
