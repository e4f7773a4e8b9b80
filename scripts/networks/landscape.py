# SPDX-License-Identifier: Apache-2.0
"""A rendered landscape as PNG: the sample image of networks trained on photographs."""

import math
import struct
import zlib


def mix(a, b, t):
    t = min(max(t, 0.0), 1.0)
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def lattice(x, y, seed):
    """A number in [0, 1) for a point of the integer grid."""
    value = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((value ^ (value >> 16)) & 0xFFFF) / 65536


def noise(x, y, seed):
    """Smooth value noise in [0, 1)."""
    ix, iy = math.floor(x), math.floor(y)
    fx, fy = x - ix, y - iy
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    top = lattice(ix, iy, seed) * (1 - fx) + lattice(ix + 1, iy, seed) * fx
    bottom = lattice(ix, iy + 1, seed) * (1 - fx) + lattice(ix + 1, iy + 1, seed) * fx
    return top * (1 - fy) + bottom * fy


def fractal(x, y, seed, octaves=4):
    return sum(noise(x * 2**k, y * 2**k, seed + k) / 2 ** (k + 1) for k in range(octaves))


def ridge(x, base, height, frequency, seed):
    return base - height * (fractal(x * frequency, 0.5, seed, 5) - 0.45)


def sky(x, y):
    color = mix((58, 110, 190), (240, 205, 165), y / 0.55)
    cloud = fractal(x * 3 + 7, y * 9, 11, 5)
    color = mix(color, (250, 246, 240), (cloud - 0.48) * 4 * (1 - y))
    distance = math.hypot(x - 0.72, y - 0.2)
    return mix((255, 246, 200), color, (distance - 0.045) * 60 if distance < 0.07 else 0.8 + distance * 0.4)


def house(x, y):
    """A house with a door and two windows, or None where it is not."""
    u, v = (x - 0.18) / 0.2, (y - 0.6) / 0.2
    if 0 <= u <= 1 and 0 <= v <= 1:
        if 0.42 < u < 0.6 and v > 0.45:
            return (84, 52, 38)
        if (0.12 < u < 0.3 or 0.72 < u < 0.9) and 0.25 < v < 0.55:
            return (196, 222, 236) if abs(u % 0.6 - 0.21) > 0.015 else (70, 60, 55)
        return mix((206, 186, 160), (172, 150, 126), noise(u * 6, v * 22, 61))
    if -0.6 < v < 0 and abs(u - 0.5) < 0.62 * (1 + v / 0.6):
        return mix((156, 58, 44), (112, 38, 32), (v * 24) % 1)
    return None


def tree(x, y, center, ground, size):
    u, v = (x - center) / size, (ground - y) / size
    if abs(u) < 0.05 and 0 <= v < 0.5:
        return (92, 64, 44)
    for level in range(3):
        bottom = 0.25 + 0.35 * level
        if bottom <= v < bottom + 0.6 and abs(u) < (0.42 - 0.09 * level) * (1 - (v - bottom) / 0.6):
            leaf = fractal(x * 60, y * 60, 71, 2)
            return mix((18, 58, 34), (76, 128, 58), leaf * 1.3 - 0.2 + u * 0.6)
    return None


def land(x, y):
    if y > ridge(x, 0.7, 0.1, 3, 41):
        grass = fractal(x * 24, y * 40, 51, 3)
        color = mix((64, 112, 44), (150, 168, 72), grass)
        path = abs(x - 0.3 - 0.35 * (y - 0.8) - 0.05 * math.sin(y * 18))
        if y > 0.8 and path < 0.02 + 0.12 * (y - 0.8):
            return mix((176, 150, 112), (206, 184, 148), fractal(x * 40, y * 60, 55, 2))
        return color
    if y > ridge(x, 0.58, 0.22, 2.5, 31):
        return mix((74, 104, 84), (110, 140, 96), fractal(x * 14, y * 22, 35, 3))
    rock = ridge(x, 0.5, 0.55, 2, 21)
    if y > rock:
        snow = y - rock < 0.05 + 0.06 * noise(x * 30, y * 10, 25)
        light = fractal(x * 9 + y * 6, y * 5, 27, 4)
        return mix((222, 228, 238), (252, 252, 255), light) if snow else mix((86, 92, 112), (150, 148, 156), light)
    return None


def scene(x, y):
    """The colour at (x, y) of the unit square, y downwards."""
    objects = [
        tree(x, y, 0.62, 0.86, 0.3),
        tree(x, y, 0.84, 0.93, 0.4),
        tree(x, y, 0.5, 0.8, 0.18),
        house(x, y),
        land(x, y),
    ]
    return next((color for color in objects if color is not None), None) or sky(x, y)


def render(size, samples):
    """Rows of RGB bytes, `samples` x `samples` points averaged for each pixel."""
    rows = []
    for row in range(size):
        line = bytearray()
        for column in range(size):
            total = [0.0, 0.0, 0.0]
            for i in range(samples * samples):
                x = (column + (i % samples + 0.5) / samples) / size
                y = (row + (i // samples + 0.5) / samples) / size
                total = [t + c for t, c in zip(total, scene(x, y))]
            line += bytes(min(max(round(t / samples**2), 0), 255) for t in total)
        rows.append(bytes(line))
    return rows


def filtered(rows):
    """PNG's Paeth filter: each byte less its best guess from left, above and upper left."""
    above = bytes(len(rows[0]))
    for row in rows:
        line = bytearray(b"\x04")
        for i, value in enumerate(row):
            left = row[i - 3] if i >= 3 else 0
            corner = above[i - 3] if i >= 3 else 0
            guess = left + above[i] - corner
            best = min((left, above[i], corner), key=lambda candidate: abs(guess - candidate))
            line.append((value - best) & 0xFF)
        above = row
        yield bytes(line)


def png(rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(filtered(rows)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def landscape(size, samples):
    """A PNG of `size` x `size` pixels, each the mean of `samples` x `samples` points."""
    return png(render(size, samples))
