#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports a detector of torchvision, as it is, with synthetic weights, and times it.

IMAGES: float32 [count, 3, h, w]. Prints torch's version, as JSON, when the file is written. For each line of stdin it runs the detector on
the last image and prints [elapsed seconds, the processor's]. It ends with stdin. Weights are random; batch norms get the statistics of the
images, and the weights of the class scores a factor that gives a few boxes of the last image a score above 0.5. Needs torchvision, of Debian
or of PyPI.

Example:
  /usr/bin/python3 tests/python/export_detector.py ssd300_vgg16 images.npy ssd.onnx --full-size < /dev/null
"""
import argparse
import inspect
import json
import pathlib
import sys
import warnings

import detectors

import numpy as np
import torch
from torchvision.models import detection

MIN_SCORE = 0.5
MIN_BOXES, MAX_BOXES = 5, 60  # with that score, in the last image

# Boxes that overlap less than 0.9 are all kept: which of two such boxes has the higher score may depend on the last bit.
ONE_STAGE = {"nms_thresh": 0.9, "detections_per_img": 600, "topk_candidates": 600, "score_thresh": 0.05}
TWO_STAGES = {"box_nms_thresh": 0.9, "box_detections_per_img": 600, "rpn_nms_thresh": 0.9, "min_size": 64, "max_size": 96}
# No proposal or box is suppressed or cut off: every one that fp32 finds has its counterpart in int8.
UNSELECTED = {"box_nms_thresh": 1.0, "box_detections_per_img": 6000, "rpn_nms_thresh": 1.0, "rpn_score_thresh": 0.0,
              "rpn_pre_nms_top_n_test": 1000, "rpn_post_nms_top_n_test": 1000}
OPTIONS = {
    "ssd300_vgg16": ONE_STAGE,
    "ssdlite320_mobilenet_v3_large": ONE_STAGE,
    "retinanet_resnet50_fpn": {**ONE_STAGE, "min_size": 64, "max_size": 96},
    "fasterrcnn_resnet50_fpn": {**TWO_STAGES, "rpn_post_nms_top_n_test": 32},
    "fasterrcnn_mobilenet_v3_large_320_fpn": {**TWO_STAGES, **UNSELECTED},
}


def calibrate_norms(model, images):
    """Gives the batch norms of the backbone the statistics of the images."""
    norms = [module for module in model.backbone.modules() if isinstance(module, torch.nn.BatchNorm2d)]
    for norm in norms:
        norm.momentum = None  # the mean of all
    model.backbone.train()
    with torch.no_grad():
        model.backbone(model.transform(list(images))[0].tensors)
    model.eval()


def score_layers(model):
    """The layers whose results are the logits of the classes, the module that returns those of all boxes, and their scores."""
    softmax = lambda logits: torch.softmax(logits, -1)[..., 1:]  # without the background
    if hasattr(model, "roi_heads"):
        return [model.roi_heads.box_predictor.cls_score], model.roi_heads.box_predictor.cls_score, softmax
    head = model.head.classification_head
    if hasattr(head, "cls_logits"):
        return [head.cls_logits], head, torch.sigmoid
    return [level if isinstance(level, torch.nn.Conv2d) else level[-1] for level in head.module_list], head, softmax


def spread_scores(model, image):
    layers, module, scores_of = score_layers(model)
    bias = float(layers[0].bias.min()) if scores_of is torch.sigmoid else 0.0
    for layer in layers:
        torch.nn.init.constant_(layer.bias, bias)
    results = []
    hook = module.register_forward_hook(lambda *call: results.append(call[-1]))
    with torch.no_grad():
        model([image])
    hook.remove()
    low, high = 1e-3, 1e6
    for _ in range(60):
        factor = (low * high)**0.5
        scores = scores_of((results[0] - bias) * factor + bias)
        count = int((scores.max(-1).values >= MIN_SCORE).sum())
        if MIN_BOXES <= count <= MAX_BOXES:
            break
        low, high = (factor, high) if count < MIN_BOXES else (low, factor)
    with torch.no_grad():
        for layer in layers:
            layer.weight *= factor


def export(model, image, file):
    """By the exporter that traces: newer versions of torch have another one, which is their default."""
    choice = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    torch.onnx.export(model, ([image],), str(file), opset_version=11, input_names=["image"], **choice)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=OPTIONS, metavar="NAME", help=", ".join(OPTIONS))
    parser.add_argument("images", type=pathlib.Path, metavar="IMAGES.npy")
    parser.add_argument("file", type=pathlib.Path, metavar="OUT.onnx")
    parser.add_argument("--full-size", action="store_true",
                        help="torchvision's sizes of the input and limits of boxes, instead of small ones whose boxes can be compared")
    parser.add_argument("--threads", type=int, help="torch's threads (torch's default)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    warnings.simplefilter("ignore")
    images = torch.from_numpy(np.load(arguments.images))
    torch.manual_seed(1)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    options = {} if arguments.full_size else OPTIONS[arguments.name]
    model = getattr(detection, arguments.name)(weights=None, weights_backbone=None, num_classes=21, **options).eval()
    calibrate_norms(model, images)
    spread_scores(model, images[-1])
    export(model, images[-1], arguments.file)
    print(json.dumps(torch.__version__), flush=True)
    with torch.no_grad():
        for _ in sys.stdin:
            print(json.dumps(detectors.timed(lambda: model([images[-1]]))), flush=True)


if __name__ == "__main__":
    main()
