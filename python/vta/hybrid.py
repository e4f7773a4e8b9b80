# SPDX-License-Identifier: Apache-2.0
"""InferenceSession: an ONNX model of which the core computes what it can, and ONNX Runtime the rest.

The model is simplified by ONNX Runtime (constants folded, nodes fused) and run once in fp32 on the calibration inputs,
which gives the types of all values. Nodes that the compiler can import and that depend on one value only form a part for the core. Such a
part is compiled, calibrated on the values that its input had in that run. The nodes between the parts are models of their own, which ONNX
Runtime runs; so are the last nodes of a part, after its last product, unless
they only activate, pool or add its products: a detector's boxes and scores are computed in fp32.

The number of rows of some values depends on the data (the boxes that a detector proposes). A part that computes each row
by itself is compiled for one, and runs once for each.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import tempfile
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy as np

from . import board_pool, errors, tables
from .network import Network, compile as compile_network, node_refusals, warn_of_noise
from .profile import ProfileResult, measure
from .program import Program
from .report import Report
from .session import CORE_PROVIDER, Session, require_reachable
from .tensors import Array

try:
    import onnx
    import onnxruntime
except ImportError as missing:
    raise ImportError("vta.InferenceSession needs onnxruntime and onnx: pip install onnxruntime onnx") from missing

CORE = "core"
HOST = "onnxruntime"
_PRODUCTS = {"Conv", "ConvTranspose", "Gemm", "MatMul"}  # a part without one of them is not worth its transfers

# What may follow a part's last product on the core.
_EPILOGUES = {"Add", "AveragePool", "Clip", "Flatten", "GlobalAveragePool", "HardSwish", "LeakyRelu", "MaxPool", "Relu"}

Feed = Mapping[str, Array]


@dataclasses.dataclass(frozen=True)
class NodePlacement:
    """Where a node of the simplified model runs."""

    node: str
    op: str
    where: str  # "core", "onnxruntime"
    part: str  # its program or model: "core0", "onnxruntime1"
    why: str  # for a node that the compiler cannot take: its message


class NodePlacements(tables.Table[NodePlacement]):
    """The nodes of the simplified model, in order. Prints as a table."""


@dataclasses.dataclass
class _Part:
    """Nodes that run together, and the values that they exchange with others."""

    where: str
    level: int  # parts run in the order of their levels
    nodes: list[Any]
    name: str = ""
    inputs: list[str] = dataclasses.field(default_factory=list)
    outputs: list[str] = dataclasses.field(default_factory=list)
    has_open_rows: bool = False  # of a part of the core: its input has any number of rows
    by_row: bool = False  # then runs once for each row
    scalars: frozenset[str] = frozenset()  # the outputs without axes, which the library's tensors have as one
    session: Any = None  # a Session or an onnxruntime.InferenceSession


class InferenceSession:
    """A model with the interface of onnxruntime.InferenceSession.

    >>> session = vta.InferenceSession("model.onnx", device="cycle", calibrate=images)
    >>> outputs = session.run(None, {"input": image})
    >>> print(session.nodes)                    # where each node runs
    >>> session.reports["core0"].cycles
    """

    def __init__(self, path: str | os.PathLike[str], sess_options: Any = None, providers: Sequence[str] | None = None, *,
                 device: str = "cycle", calibrate: Array | Sequence[Array] | Sequence[Feed] | None = None,
                 input_shapes: Mapping[str, Sequence[int]] | None = None, fp32: bool = False,
                 **compile_options: Any) -> None:
        """
        sess_options, providers: of the parts that ONNX Runtime runs
        device: that runs the parts of the core
        calibrate: inputs to choose the scales on: for a model with one input an array [count, ...] or a sequence of
            arrays with its shape, else a sequence of dictionaries. None: standard normals, good for trying only
        input_shapes: shapes of inputs with dimensions that the model leaves open; a first open one is 1 otherwise
        fp32: run the parts of the core in ONNX Runtime, too, to see what int8 changes
        compile_options: of vta.compile()
        """
        self._options, self._providers = sess_options, list(providers or ["CPUExecutionProvider"])
        self._device, self._fp32, self._compile_options = device, fp32, compile_options
        self._board: board_pool.Board | None = None
        if not fp32:
            require_reachable(device)
        model = _simplified(path, input_shapes or {})
        self._types = _Types(model)
        feeds = self._types.feeds(calibrate)
        values = _values(model, feeds)
        self._open_rows, self._open_axes = _open_values(model)
        self._constants = {constant.name: onnx.numpy_helper.to_array(constant) for constant in model.graph.initializer}
        self._parts, placements = self._opened_parts(model, values)
        if calibrate is None and self.programs:
            warn_of_noise(os.fspath(path))
        self.nodes: NodePlacements = NodePlacements(placements)
        self.reports: dict[str, Report] = {}
        """The report of the last run of each part of the core, by its name."""
        self.runs: dict[str, int] = {}
        """How often the last inference has run each part of the core: by row if their number is open."""

    def get_inputs(self) -> list[Any]:
        """Their `name`, `shape` and `type`, as in ONNX Runtime."""
        return self._types.inputs

    def get_outputs(self) -> list[Any]:
        return self._types.outputs

    @property
    def programs(self) -> dict[str, Program]:
        """The parts of the core."""
        return {part.name: part.session.program for part in self._parts if isinstance(part.session, Session)}

    def get_providers(self) -> list[str]:
        """What executes the model: "VTAExecutionProvider" if it has parts on the core, then those of ONNX Runtime."""
        return [CORE_PROVIDER, *self._providers] if self.programs else list(self._providers)

    def run(self, output_names: Sequence[str] | None, input_feed: Feed, run_options: Any = None) -> list[Any]:
        """The outputs with these names, or all of them."""
        names = [output.name for output in self._types.outputs]
        wanted = list(output_names or names)
        if unknown := sorted(set(wanted) - set(names)):
            raise errors.InvalidArgumentError(f"{unknown[0]} is not an output; expected {', '.join(names)}")
        values: dict[str, Any] = {**self._constants, **self._types.checked(input_feed)}
        for part in self._parts:
            results = self._run(part, values, run_options)
            values.update(zip(part.outputs, results))
        return [values[name] for name in wanted]

    def profile(self, input_feed: Feed, repeat: int = 10) -> ProfileResult:
        """Elapsed seconds of `repeat` inferences, after one that is not counted; `vta.measure` measures another runtime."""
        return measure(lambda: self.run(None, input_feed), repeat)

    def close(self) -> None:
        _close(self._parts)
        if self._board is not None:
            self._board.close()

    def _run(self, part: _Part, values: Mapping[str, Any], run_options: Any) -> Sequence[Any]:
        if not isinstance(part.session, Session):
            feed = {name: values[name] for name in part.inputs}
            return list(_by_onnxruntime(part.name, lambda: part.session.run(part.outputs, feed, run_options)))
        runs = _row_runs(part, values[part.inputs[0]])
        self.runs[part.name] = len(runs)
        outputs: list[list[Array]] = []
        for run in runs:
            outputs.append(part.session.run(run))
            self.reports[part.name] = part.session.report
        if not part.by_row:
            return [array.reshape(()) if name in part.scalars else array for name, array in zip(part.outputs, outputs[0])]
        return [np.concatenate([np.empty((0, *info.shape[1:]), info.dtype), *(output[i] for output in outputs)])
                for i, info in enumerate(part.session.outputs)]

    def _opened_parts(self, model: Any, values: list[dict[str, Any]]) -> tuple[list[_Part], list[NodePlacement]]:
        """Splits the model anew for as long as a part of the core does not compile: its nodes then go to the host."""
        refused = _Splitter(model, values[0]).refusals()
        while True:
            parts, placements = _split(model, values[0], refused)
            before = len(refused)
            with tempfile.TemporaryDirectory() as folder:
                for part in parts:
                    try:
                        self._open(part, model, values, pathlib.Path(folder))
                    except errors.UnsupportedError as error:
                        if part.where == HOST:
                            raise
                        refused.update((node.name, str(error)) for node in part.nodes)
            if len(refused) == before:
                return parts, placements
            _close(parts)

    def _open(self, part: _Part, model: Any, values: list[dict[str, Any]], folder: pathlib.Path) -> None:
        file = folder / f"{part.name}.onnx"
        if part.where == CORE and (open_axes := self._open_axes.intersection([*part.inputs, *part.outputs])):
            raise errors.UnsupportedError(f"value {min(open_axes)} has a size beyond the first that depends on the data")
        part.has_open_rows = part.where == CORE and part.inputs[0] in self._open_rows
        if part.has_open_rows and not self._fp32:
            part.by_row = True
            self._require_independent_rows(part, model, values)
            _require_no_combined_rows(part, model, values[0], file)
        onnx.save(_model_of(part, model, values[0]), str(file))
        if part.where == HOST or self._fp32:
            part.session = onnxruntime.InferenceSession(str(file), self._options, providers=self._providers)
            return
        part.scalars = frozenset(name for name in part.outputs if np.ndim(values[0][name]) == 0)
        calibration = [run for inputs in values for run in _row_runs(part, inputs[part.inputs[0]])]
        program = compile_network(Network(file), calibrate=calibration, **self._compile_options)
        part.session = Session(program, self._device_uri())

    def _device_uri(self) -> str:
        """The device of all parts: of one board, if it is of a pool."""
        if not board_pool.is_pool_uri(self._device):
            return self._device
        if self._board is None:
            self._board = board_pool.Board(self._device)
        return self._board.uri

    def _require_independent_rows(self, part: _Part, model: Any, values: list[dict[str, Any]]) -> None:
        """Errors: UnsupportedError if the part does not compute each row by itself."""
        given = values[0][part.inputs[0]]
        if len(given) == 0:
            raise errors.UnsupportedError(f"value {part.inputs[0]} has no rows in the first calibration input")
        host = onnxruntime.InferenceSession(_model_of(part, model, values[0]).SerializeToString(), self._options,
                                            providers=self._providers)
        for row in (0, len(given) - 1):
            try:
                outputs = host.run(part.outputs, {part.inputs[0]: given[row:row + 1]})
            except Exception as error:  # ONNX Runtime's errors have no common class of their own
                raise errors.UnsupportedError(f"it does not run with a single row: {error}") from error
            for name, output in zip(part.outputs, outputs):
                whole = values[0][name]
                if whole.shape[:1] != given.shape[:1] or output.shape[:1] != (1, ) or not np.allclose(
                        output, whole[row:row + 1], rtol=1e-3, atol=1e-3 * float(np.abs(whole).max(initial=0))):
                    raise errors.UnsupportedError(f"value {name} does not have a row for each row of {part.inputs[0]}")


def _require_no_combined_rows(part: _Part, model: Any, values: Mapping[str, Any], file: pathlib.Path) -> None:
    """Errors: UnsupportedError if an operator of the part combines rows, whatever the data. Writes the file."""
    onnx.save(_model_of(part, model, values, rows=3), str(file))
    try:
        Network(file, batch_axis=0).close()
    except errors.InvalidArgumentError as error:
        raise errors.UnsupportedError(str(error).removeprefix(f"{file}: --batch-axis 0: ").partition(";")[0]) from error


def _row_runs(part: _Part, value: Array) -> list[Array]:
    """The inputs of the runs of a part."""
    return [row[None] for row in value] if part.by_row else [value]


class _Types:
    """The inputs and outputs of the model."""

    def __init__(self, model: Any) -> None:
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        self.inputs: list[Any] = session.get_inputs()
        self.outputs: list[Any] = session.get_outputs()

    def feeds(self, calibrate: Any) -> list[dict[str, Array]]:
        if calibrate is None:
            if others := [i for i in self.inputs if i.type != "tensor(float)"]:
                raise errors.InvalidArgumentError(f"input {others[0].name} is a {others[0].type}; give calibrate")
            random = np.random.default_rng(1)
            return [{i.name: random.standard_normal(i.shape).astype(np.float32) for i in self.inputs}]
        if isinstance(calibrate, Mapping):
            raise errors.InvalidArgumentError("calibrate is a dictionary; expected a sequence of them")
        if not isinstance(calibrate, Iterable):
            raise errors.InvalidArgumentError(f"calibrate is a {type(calibrate).__name__}; expected a sequence of inputs")
        calibrate = list(calibrate)
        if not calibrate:
            raise errors.InvalidArgumentError("calibrate holds no inputs")
        if isinstance(calibrate[0], Mapping):
            return [self.checked(feed) for feed in calibrate]
        if len(self.inputs) != 1:
            raise errors.InvalidArgumentError(f"the model has {len(self.inputs)} inputs; calibrate must be a sequence of "
                                              "dictionaries")
        only = self.inputs[0]
        try:
            return [self.checked({only.name: _array(only, array).reshape(only.shape)}) for array in calibrate]
        except ValueError as error:
            raise errors.InvalidArgumentError(f"calibrate: {error}") from error

    def checked(self, feed: Feed) -> dict[str, Array]:
        if not isinstance(feed, Mapping):
            raise errors.InvalidArgumentError(f"expected a dictionary of arrays by input, got {type(feed).__name__}")
        names = [i.name for i in self.inputs]
        if missing := [name for name in names if name not in feed]:
            raise errors.InvalidArgumentError(f"input {missing[0]} is missing")
        if unknown := [name for name in feed if name not in names]:
            raise errors.InvalidArgumentError(f"{unknown[0]} is not an input; expected {', '.join(names)}")
        return {i.name: _checked(i, feed[i.name]) for i in self.inputs}


# NumPy's types of the tensors of ONNX Runtime; it checks the others itself.
_DTYPES: dict[str, Any] = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_,
           **{name: np.dtype(name) for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")}}


def _array(info: Any, value: Any) -> Array:
    """The array of an input; numbers in lists take its type if that keeps them. Errors: InvalidArgumentError."""
    dtype = _dtype(info)
    try:
        given: Array = np.asarray(value)
        if isinstance(value, np.ndarray) or dtype is None:
            return np.asarray(given, order="C")  # ascontiguousarray() would give a scalar an axis
        if not np.can_cast(given.dtype, dtype, "same_kind") and not (given.dtype.kind == "i" and np.dtype(dtype).kind in "uf"):
            raise ValueError(f"got {given.dtype}")
        array: Array = np.asarray(value, dtype, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise errors.InvalidArgumentError(f"input {info.name}: expected an array of {info.type}: {error}") from error
    if given.dtype.kind in "iu" and not np.array_equal(given, array):
        raise errors.InvalidArgumentError(f"input {info.name}: expected numbers of {info.type}, got {given.min()} to {given.max()}")
    return array


def _dtype(info: Any) -> Any:
    return _DTYPES.get(info.type.removeprefix("tensor(").removesuffix(")"))


def _checked(info: Any, value: Any) -> Array:
    """The array of an input, of its shape and type. Errors: InvalidArgumentError."""
    array, dtype = _array(info, value), _dtype(info)
    if np.shape(value) != tuple(info.shape):
        raise errors.InvalidArgumentError(f"input {info.name}: expected shape {list(info.shape)}, got {list(np.shape(value))}")
    if dtype is not None and array.dtype != dtype:
        raise errors.InvalidArgumentError(f"input {info.name}: expected {np.dtype(dtype)}, got {array.dtype}")
    return array


def _by_onnxruntime(what: str, action: Callable[[], Any]) -> Any:
    """What the action returns. Errors: InvalidArgumentError with ONNX Runtime's message; its own errors have no common class."""
    try:
        return action()
    except Exception as error:
        raise errors.InvalidArgumentError(f"{what}: ONNX Runtime: {error}") from error


def _loaded(path: str | os.PathLike[str]) -> Any:
    """Errors: NotFoundError, InputOutputError, CorruptError."""
    try:
        return onnx.load(os.fspath(path))
    except FileNotFoundError as error:
        raise errors.NotFoundError(f"{path}: no such file") from error
    except OSError as error:
        raise errors.InputOutputError(f"{path}: {error.strerror}") from error
    except Exception as error:  # protobuf's, which has no types
        raise errors.CorruptError(f"{path}: not an ONNX model: {error}") from error


def _simplified(path: str | os.PathLike[str], shapes: Mapping[str, Sequence[int]]) -> Any:
    """The model with fixed input shapes, constants folded and every node with a name."""
    model = _loaded(path)
    constants = {initializer.name for initializer in model.graph.initializer}
    for value in model.graph.input:
        if value.name not in constants:
            _fix_shape(value, shapes.get(value.name))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "simplified.onnx")
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = file
        options.log_severity_level = 3
        _by_onnxruntime(os.fspath(path), lambda: onnxruntime.InferenceSession(model.SerializeToString(), options,
                                                                              providers=["CPUExecutionProvider"]))
        model = onnx.load(file)
    names: set[str] = set()
    for number, node in enumerate(model.graph.node):
        if not node.name or node.name in names:
            node.name = f"{node.name or node.op_type}_{number}"
        names.add(node.name)
    return model


def _fix_shape(value: Any, shape: Sequence[int] | None) -> None:
    dims = value.type.tensor_type.shape.dim
    if shape is not None and len(shape) != len(dims):
        raise errors.InvalidArgumentError(f"input_shapes: {value.name} has {len(dims)} dimensions, got {len(shape)}")
    for axis, dim in enumerate(dims):
        if shape is not None:
            dim.dim_value = shape[axis]
        elif not dim.HasField("dim_value"):
            if axis > 0:
                raise errors.InvalidArgumentError(f"input {value.name} leaves dimension {axis} open; give input_shapes")
            dim.dim_value = 1


def _open_values(model: Any) -> tuple[set[str], set[str]]:
    """The values whose first dimension depends on the data or is not inferred, and those of which another one depends on it."""
    inferred = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    dims = {value.name: value.type.tensor_type.shape.dim for value in [*inferred.value_info, *inferred.input, *inferred.output]}
    known = {name for name, sizes in dims.items() if sizes and sizes[0].HasField("dim_value")}
    others = {name for name, sizes in dims.items() if not all(size.HasField("dim_value") for size in sizes[1:])}
    return {name for node in model.graph.node for name in node.output} - known, others


def _values(model: Any, feeds: list[dict[str, Array]]) -> list[dict[str, Any]]:
    """All values of the model in fp32, for each feed."""
    observed = onnx.ModelProto()
    observed.CopyFrom(model)
    del observed.graph.output[:]
    names = [name for node in model.graph.node for name in node.output if name]
    observed.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(observed.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return [{**feed, **dict(zip(names, _by_onnxruntime("a calibration input", lambda: session.run(names, feed))))} for feed in feeds]


def _close(parts: Sequence[_Part]) -> None:
    for part in parts:
        if isinstance(part.session, Session):
            part.session.close()


class _Splitter:
    def __init__(self, model: Any, values: Mapping[str, Any]) -> None:
        self._model, self._values = model, values
        self._constants = {initializer.name for initializer in model.graph.initializer}
        self._made_by: dict[str, _Part] = {}  # by value
        self.parts: list[_Part] = []
        self.part_of: dict[str, _Part] = {}  # by the name of a node
        self.why: dict[str, str] = {}

    def refusals(self) -> dict[str, str]:
        """The nodes that the compiler does not import alone, and why."""
        whys = {node.name: self._other_type(node) for node in self._model.graph.node}
        whys |= self._not_imported([node for node in self._model.graph.node if not whys[node.name]])
        return {name: why for name, why in whys.items() if why}

    def _not_imported(self, nodes: Sequence[Any]) -> dict[str, str]:
        """Why the compiler does not import a node, by its name. Asks for all at once; if it does not read that model, for parts of it."""
        if not nodes:
            return {}
        try:
            return dict(zip((node.name for node in nodes), self._asked(nodes)))
        except errors.Error as error:
            if len(nodes) == 1:
                return {nodes[0].name: str(error)}
            half = len(nodes) // 2
            return {**self._not_imported(nodes[:half]), **self._not_imported(nodes[half:])}

    def _asked(self, nodes: Sequence[Any]) -> list[str]:
        """Why the compiler does not import each node. Errors: what the compiler says of a model that it does not read."""
        outputs = [name for node in nodes for name in node.output if name]
        inputs = {name for node in nodes for name in self._inputs(node)}.difference(outputs)
        part = _Part(CORE, 0, list(nodes), "nodes", sorted(inputs), outputs)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "nodes.onnx")
            onnx.save(_model_of(part, self._model, self._values), file)
            try:
                return node_refusals(file)
            except errors.Error as error:
                raise type(error)(str(error).replace(f"{file}: ", "")) from error

    def split(self, host_only: set[str]) -> None:
        """Puts every node into a part; nodes of `host_only` into parts of ONNX Runtime."""
        for node in self._model.graph.node:
            inputs = self._inputs(node)
            part = None if node.name in host_only else self._core_part(node, inputs)
            if part is None:
                level = max((self._level_after(name) for name in inputs), default=0)
                part = self._part(HOST, level)
            part.nodes.append(node)
            self.part_of[node.name] = part
            self._made_by.update((name, part) for name in node.output)

    def _inputs(self, node: Any) -> list[str]:
        """Without constants; with the values that its subgraphs use."""
        return [name for name in _used_names(node) if name in self._values]

    def _level_after(self, value: str) -> int:
        """The first level at which ONNX Runtime may use the value: after the core part that makes it."""
        part = self._made_by.get(value)
        return 0 if part is None else part.level + (part.where == CORE)

    def _part(self, where: str, level: int) -> _Part:
        for part in self.parts:
            if where == HOST and part.where == HOST and part.level == level:
                return part
        self.parts.append(_Part(where, level, []))
        return self.parts[-1]

    def _core_part(self, node: Any, inputs: list[str]) -> _Part | None:
        """A part of the core from whose only input everything that the node needs follows."""
        if not inputs:
            return None
        for part in self.parts:
            if part.where == CORE and all(self._made_by.get(name) is part or name in part.inputs for name in inputs):
                return part
        first = self._values[inputs[0]]
        if len(set(inputs)) > 1 or first.dtype != np.float32:
            return None
        if first.ndim not in (2, 4):  # the compiler takes the first dimension for images
            self.why.setdefault(node.name, f"its input has rank {first.ndim}, a part starts with 2 or 4")
            return None
        made_by = self._made_by.get(inputs[0])
        part = self._part(CORE, 0 if made_by is None else made_by.level + (made_by.where == CORE))
        part.inputs = [inputs[0]]
        return part

    def _other_type(self, node: Any) -> str:
        """Why the node's values are not those of a part of the core. Empty if they are. The compiler has integers of 32 bits at most, and refuses a
        run whose results are larger, which ONNX Runtime would give."""
        for name in [*self._inputs(node), *filter(None, node.output)]:
            dtype = getattr(self._values[name], "dtype", None)
            if dtype != np.float32:
                return f"value '{name}' is {dtype or 'no tensor'}, not float32"
        return ""


def _split(model: Any, values: Mapping[str, Any],
           refused: Mapping[str, str]) -> tuple[list[_Part], list[NodePlacement]]:
    """`refused`: nodes for the host, and why."""
    why = dict(refused)
    while True:
        splitter = _Splitter(model, values)
        splitter.split(set(why))
        left = {name: reason for part in splitter.parts if part.where == CORE
                for name, reason in _left_to_the_host(part, splitter).items()}
        if not left:
            break
        why = {**left, **why}
    why = {**why, **splitter.why}
    parts = sorted((part for part in splitter.parts if part.nodes), key=lambda part: (part.level, part.where == CORE))
    _connect(parts, model, splitter)
    counts = {CORE: 0, HOST: 0}
    for part in parts:
        part.name = f"{part.where}{counts[part.where]}"
        counts[part.where] += 1
    placements = [NodePlacement(node.name, node.op_type, splitter.part_of[node.name].where,
                                splitter.part_of[node.name].name, why.get(node.name, "")) for node in model.graph.node]
    return parts, placements


def _left_to_the_host(part: _Part, splitter: _Splitter) -> dict[str, str]:
    """Nodes of a part of the core that ONNX Runtime should run, and why."""
    if not any(node.op_type in _PRODUCTS for node in part.nodes):
        return {node.name: "no products in its part" for node in part.nodes}
    feeds_product: set[str] = set()  # values
    for node in reversed(part.nodes):
        if node.op_type in _PRODUCTS or feeds_product.intersection(node.output):
            feeds_product.update(splitter._inputs(node))
    kept = set(part.inputs)  # values
    left = {}
    for node in part.nodes:
        is_epilogue = node.op_type in _EPILOGUES and (
            node.op_type != "Add" or len(splitter._inputs(node)) == len(node.input))
        if node.op_type in _PRODUCTS or feeds_product.intersection(node.output) or (
                is_epilogue and kept.issuperset(splitter._inputs(node))):
            kept.update(node.output)
        else:
            left[node.name] = "after the last product of its part"
    return left


def _connect(parts: list[_Part], model: Any, splitter: _Splitter) -> None:
    """Sets the inputs and outputs of the parts."""
    used: dict[str, list[_Part | None]] = {output.name: [None] for output in model.graph.output}
    for part in parts:
        own = {name for node in part.nodes for name in node.output}
        inputs = dict.fromkeys(name for node in part.nodes for name in splitter._inputs(node) if name not in own)
        part.inputs = list(inputs)
        for name in inputs:
            used.setdefault(name, []).append(part)
    for part in parts:
        part.outputs = [name for node in part.nodes for name in node.output if name in used]


def _used_names(node: Any) -> list[str]:
    """The values and constants that a node reads, those of its subgraphs included."""
    names = list(node.input)
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            names += [name for child in graph.node for name in _used_names(child)] + [output.name for output in graph.output]
    return names


def _model_of(part: _Part, model: Any, values: Mapping[str, Any], rows: int = 1) -> Any:
    """The part as a model. Parts of the core have the shapes of `values`; in others only types are fixed. rows: of a part by row."""
    needed = {name for node in part.nodes for name in _used_names(node)}

    def info(name: str) -> Any:
        value = values[name]
        if not isinstance(value, np.ndarray):
            raise errors.UnsupportedError(f"value {name} is not a tensor")
        kind = onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
        shape: list[int | None] = list(value.shape) if part.where == CORE else [None] * value.ndim
        if part.has_open_rows and shape:
            shape[0] = rows if part.by_row else None
        return onnx.helper.make_tensor_value_info(name, kind, shape)

    graph = onnx.helper.make_graph(
        part.nodes, part.name, [info(name) for name in part.inputs], [info(name) for name in part.outputs],
        [initializer for initializer in model.graph.initializer if initializer.name in needed])
    return onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version,
                                  functions=model.functions)
