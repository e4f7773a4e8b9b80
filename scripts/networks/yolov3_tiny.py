# SPDX-License-Identifier: Apache-2.0
"""YOLOv3-tiny (Redmon and Farhadi, 2018) for 416x416 pixels. Layer names count as Darknet's configuration does."""

from .layers import Layers, network


# Anchors of the coarse and of the fine grid: width, height, width, height, ... The released weights were trained with these.
ANCHORS = [[81, 82, 135, 169, 344, 319], [23, 27, 37, 58, 81, 82]]

# COCO's classes.
LABELS = (
    "person,bicycle,car,motorbike,aeroplane,bus,train,truck,boat,traffic light,fire hydrant,stop sign,parking meter,"
    "bench,bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,umbrella,handbag,tie,suitcase,frisbee,"
    "skis,snowboard,sports ball,kite,baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,"
    "cup,fork,knife,spoon,bowl,banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,sofa,"
    "pottedplant,bed,diningtable,toilet,tvmonitor,laptop,mouse,remote,keyboard,cell phone,microwave,oven,toaster,sink,"
    "refrigerator,book,clock,vase,scissors,teddy bear,hair drier,toothbrush"
).split(",")


def conv(layers, index, channels, kernel, inputs=None):
    layers.conv_bn(f"conv_{index}", f"batch_norm_{index}", channels, kernel, 1, kernel // 2, inputs)
    return layers.add(f"leaky_{index}", "leaky_relu", alpha=0.1)


def yolov3_tiny():
    layers = Layers()
    for index, channels in enumerate([16, 32, 64, 128, 256]):
        fine = conv(layers, 2 * index, channels, 3)
        layers.add(f"maxpool_{2 * index + 1}", "max_pool2d", kernel=2, stride=2)
    conv(layers, 10, 512, 3)
    # The last pooling keeps the size: one more row and column of -infinity at the bottom and the right.
    layers.add("maxpool_11", "max_pool2d", kernel=2, stride=1, pad=[0, 0, 1, 1])
    conv(layers, 12, 1024, 3)
    coarse = conv(layers, 13, 256, 1)
    conv(layers, 14, 512, 3)
    heads = [layers.conv("conv_15", 255, 1)]
    conv(layers, 18, 128, 1, [coarse])
    nearest = {"scale": [2, 2], "resize_mode": "nearest", "coordinates": "asymmetric", "rounding": "floor"}
    layers.add("upsample_19", "resize2d", **nearest)
    layers.concat("route_20", ["upsample_19", fine])
    conv(layers, 21, 256, 3)
    heads.append(layers.conv("conv_22", 255, 1))
    image = {"channels": "rgb", "scale": 1 / 255, "mean": [0, 0, 0], "stddev": [1, 1, 1], "letterbox": 128}
    more = {"labels": "coco.labels.txt", "outputs": heads, "postprocess": {"kind": "yolo", "anchors": ANCHORS}}
    return network("yolov3-tiny", layers, [1, 3, 416, 416], image, "samples/landscape.png", **more)


def networks():
    return [yolov3_tiny()]
