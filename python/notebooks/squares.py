# SPDX-License-Identifier: Apache-2.0
"""A detector of coloured squares with weights that can be computed, in the form of Faster R-CNN. It has a backbone, proposals from a grid
of cells and NonMaxSuppression, RoiAlign, and a head that classifies each box."""
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HEIGHT, WIDTH = 128, 128
CELL = 4  # pixels
REACH = 4  # cells of a window beyond its centre
CLASSES = ("red", "green", "blue")
_ROWS, _COLUMNS = HEIGHT // CELL, WIDTH // CELL
_COLOUR = 1.5 * np.eye(3) - 0.5  # a channel minus the mean of the others: 0 for grey, 1 for a full colour


def _weights():
    """Convolutions: how much colour there is in a cell; in the window around a cell, how much, and where its centre is."""
    offsets = np.arange(-REACH, REACH + 1) * CELL / 16
    x, y = np.meshgrid(offsets, offsets)
    window = np.stack([np.ones_like(x), x, y])  # of each colour
    columns, rows = np.meshgrid(np.arange(_COLUMNS), np.arange(_ROWS))
    centre = (CELL - 1) / 2
    floats = {
        "colour": np.broadcast_to(_COLOUR[:, :, None, None] / CELL**2, (3, 3, CELL, CELL)),
        "window": np.broadcast_to(window[:, None], (3, 3, *x.shape)),
        "head": np.repeat(_COLOUR, 16, axis=1) / 16,
        "column": (columns * CELL + centre).reshape(-1), "row": (rows * CELL + centre).reshape(-1),
        "zero": 0.0, "one": 1.0, "two": 2.0, "five": 5.0, "eight": 8.0, "sixteen": 16.0, "half": 0.5,
    }
    integers = {"map": [3, -1], "boxes_shape": [1, -1, 4], "scores_shape": [1, 1, -1], "four": [-1, 4], "flat": [-1],
                "most": [10], "last": 2}
    return [*(numpy_helper.from_array(np.array(value, np.float32), name) for name, value in floats.items()),
            *(numpy_helper.from_array(np.array(value, np.int64), name) for name, value in integers.items())]


_BACKBONE = """Conv image,colour -> cells strides=4,4; Clip cells,zero,one -> colours;
Conv colours,window -> windows pads=4,4,4,4"""
_PROPOSALS = """Reshape windows,map -> maps; Split maps -> mass,x_sum,y_sum axis=0; Reshape mass,flat -> area;
Reshape x_sum,flat -> x_flat; Reshape y_sum,flat -> y_flat; Max area,one -> safe; Div x_flat,safe -> x_mean; Div y_flat,safe -> y_mean;
Mul x_mean,sixteen -> dx; Mul y_mean,sixteen -> dy; Mul safe,sixteen -> pixels; Sqrt pixels -> side; Div side,two -> radius;
Add column,dx -> cx; Add row,dy -> cy; Sub cx,radius -> x1; Sub cy,radius -> y1; Add cx,radius -> x2; Add cy,radius -> y2;
Abs dx -> ax; Abs dy -> ay; Add ax,ay -> distance; Sub five,distance -> closeness; Sigmoid closeness -> near;
Greater area,eight -> is_large; Cast is_large -> large to=1; Mul near,large -> score"""
_SELECTION = """Unsqueeze x1,last_axis -> u1; Unsqueeze y1,last_axis -> u2; Unsqueeze x2,last_axis -> u3; Unsqueeze y2,last_axis -> u4;
Concat u1,u2,u3,u4 -> corners axis=1; Reshape corners,boxes_shape -> all_boxes; Reshape score,scores_shape -> all_scores;
NonMaxSuppression all_boxes,all_scores,most,half,half -> chosen; Gather chosen,last -> index axis=1;
Gather corners,index -> boxes axis=0; Gather score,index -> scores axis=0"""
_HEAD = """Sub index,index -> batch; RoiAlign image,boxes,batch -> crops output_height=4 output_width=4;
Flatten crops -> rows; Gemm rows,head -> logits transB=1; ArgMax logits -> labels axis=1 keepdims=0"""


def _nodes(text):
    """Nodes of lines "Op inputs -> outputs attribute=value", separated by semicolons."""
    for number, line in enumerate(text.split(";")):
        left, right = line.strip().split(" -> ")
        op, inputs = left.split(" ")
        outputs, *attributes = right.split(" ")
        values = {name: [int(word) for word in value.split(",")] for name, value in (a.split("=") for a in attributes)}
        lists = ("strides", "pads")
        yield helper.make_node(op, inputs.split(","), outputs.split(","), f"{op}_{outputs.split(',')[0]}", **{
            name: [*value, *value][:2] if name == "strides" else value if name in lists else value[0]
            for name, value in values.items()})


def save_detector(file: str | os.PathLike[str]) -> None:
    """Writes the model: `image`, float32 [1, 3, 128, 128] in [0, 1], to `boxes` [n, 4] (x1, y1, x2, y2), `labels` and `scores` [n]."""
    nodes = list(_nodes(";".join([_BACKBONE, _PROPOSALS, _SELECTION, _HEAD])))
    weights = [*_weights(), numpy_helper.from_array(np.array([1], np.int64), "last_axis")]
    graph = helper.make_graph(
        nodes, "squares", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])],
        [helper.make_tensor_value_info("boxes", TensorProto.FLOAT, [None, 4]),
         helper.make_tensor_value_info("labels", TensorProto.INT64, [None]),
         helper.make_tensor_value_info("scores", TensorProto.FLOAT, [None])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, os.fspath(file))


def make_image(seed: int, squares: int = 4) -> tuple[np.ndarray, list[tuple[int, int, int, int]], list[int]]:
    """An image [1, 3, 128, 128] with squares of 14 to 24 pixels on grey noise, their boxes and classes."""
    random = np.random.default_rng(seed)
    grey = random.random((1, 1, HEIGHT, WIDTH)) * 0.3
    image = np.repeat(grey, 3, axis=1) + random.standard_normal((1, 3, HEIGHT, WIDTH)) * 0.01
    boxes, labels = [], []
    for place in random.permutation(4)[:squares]:  # quarters, in which 17 pixels at each border are free
        side = int(random.integers(14, 25))
        left, top = ((int(quarter) * 64 + int(random.integers(17, 48 - side))) for quarter in divmod(place, 2))
        label = int(random.integers(0, 3))
        image[0, :, top:top + side, left:left + side] = np.eye(3)[label][:, None, None]
        boxes.append((left, top, left + side, top + side))
        labels.append(label)
    return image.clip(0, 1).astype(np.float32), boxes, labels


def overlaps(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Intersection over union of boxes [n, 4] and [m, 4]: [n, m]."""
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    both = np.prod((high - low).clip(0), axis=2)
    area_a, area_b = (np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (a, b))
    return both / (area_a[:, None] + area_b[None] - both)
