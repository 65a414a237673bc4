"""Compiled kernels: one decorator, one cache folder, and calling a kernel by its address.

Every hot function of the house is an `@njit` kernel over arrays its caller owns. Two things about Numba need care:

* Its cache looks only at a function's own file, so a kernel would go on running the old text of a helper in another
  file. We point the cache at a folder named after a digest of *all* our sources, before the first kernel is made.
* A loop that is compiled once must be able to call kernels it has never seen (any agent in any seat). We pass
  kernels as plain int64 *addresses* and call them through `call_by_address`. An address carries no type, so
  `address` refuses a kernel whose signature is not exactly the one the loop will use: a wrong one is silent garbage.

With compilation off (`NUMBA_DISABLE_JIT=1`) an address is a key into a table of the plain Python functions, so the
same loops run uncompiled.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from nemesis.rules.cache import cache_folder, tell

F = TypeVar("F", bound=Callable[..., Any])

COMPILING: bool = not numba.config.DISABLE_JIT

_KEPT_FOLDERS = 4


def source_digest() -> str:
    """A digest of every source file of the package and of what else decides the machine code."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(f"{package} {numba.__version__} {os.environ.get('NUMBA_BOUNDSCHECK', '')}".encode())
    return digest.hexdigest()[:16]


def _prepare_cache() -> None:
    kernels = cache_folder() / "kernels"
    folder = kernels / source_digest()
    if not folder.is_dir():
        tell("compiling the kernels (once for this version, about half a minute)…")
        folder.mkdir(parents=True, exist_ok=True)
        others = sorted(kernels.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for stale in others[_KEPT_FOLDERS:]:
            shutil.rmtree(stale, ignore_errors=True)
    numba.config.CACHE_DIR = str(folder)


if COMPILING:
    _prepare_cache()
else:
    np.seterr(over="ignore")  # whole numbers wrap around in compiled code, so they must here


def njit(*signature: Any, **options: Any) -> Callable[[F], F]:
    """`numba.njit` with caching on, typed so that a decorated function keeps its type."""
    options.setdefault("cache", True)
    decorate: Callable[[F], F] = numba.njit(*signature, **options)
    return decorate


def inlined(function: F) -> F:
    """A small kernel without a signature of its own, merged by LLVM into whichever kernel calls it."""
    kernel: F = numba.njit(cache=True, error_model="numpy", forceinline=True)(function)
    return kernel


borrowed: Callable[[Any, Any, Any], Any]
singles: Callable[[Any, Any, Any], Any]
unowned: Callable[[Any], Any]
if COMPILING:

    def _borrowed(typing_context: Any, array: Any, start: Any, size: Any) -> Any:
        """`array[start : start + size]` of a 1-d array that the caller keeps alive, without counting references.

        Counting is atomic and costs more than a small kernel's whole work.
        """

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = signature.args[0]
            whole = context.make_array(kind)(context, builder, values[0])
            part = context.make_array(kind)(context, builder)
            width = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
            populate_array(
                part,
                data=builder.gep(whole.data, [values[1]]),
                shape=[values[2]],
                strides=[width],
                itemsize=width,
                meminfo=None,
            )
            return part._getvalue()

        return array(array, types.int64, types.int64), generate

    def _singles(typing_context: Any, array: Any, start: Any, size: Any) -> Any:
        """The `size` single-precision numbers that lie in a float64 array from its cell `start` on, borrowed as above."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = signature.return_type
            whole = context.make_array(signature.args[0])(context, builder, values[0])
            part = context.make_array(kind)(context, builder)
            width = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
            cell = builder.gep(whole.data, [values[1]])
            populate_array(
                part,
                data=builder.bitcast(cell, context.get_data_type(kind.dtype).as_pointer()),
                shape=[values[2]],
                strides=[width],
                itemsize=width,
                meminfo=None,
            )
            return part._getvalue()

        return types.Array(types.float32, 1, "C")(array, types.int64, types.int64), generate

    def _unowned(typing_context: Any, array: Any) -> Any:
        """The whole array, of any shape, in the same way: Numba counts whenever an array is handed to a function."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = signature.args[0]
            whole = context.make_array(kind)(context, builder, values[0])
            same = context.make_array(kind)(context, builder)
            populate_array(
                same,
                data=whole.data,
                shape=whole.shape,
                strides=whole.strides,
                itemsize=whole.itemsize,
                meminfo=None,
            )
            return same._getvalue()

        return array(array), generate

    borrowed = intrinsic(_borrowed)
    unowned = intrinsic(_unowned)
    singles = intrinsic(_singles)
else:

    def _slice(array: Any, start: int, size: int) -> Any:
        return array[start : start + size]

    def _slice_singles(array: Any, start: int, size: int) -> Any:
        return array[start:].view(np.float32)[:size]

    def _whole(array: Any) -> Any:
        return array

    borrowed = _slice
    unowned = _whole
    singles = _slice_singles


_uncompiled: dict[int, Callable[..., Any]] = {}


def address(kernel: Any, signature: Any) -> int:
    """The address of a compiled kernel, after checking that it was compiled for exactly `signature`."""
    if not COMPILING:
        key = id(kernel)
        _uncompiled[key] = kernel
        return key
    overloads = getattr(kernel, "overloads", None)
    if overloads is None:
        raise TypeError(f"{kernel!r} is not a compiled kernel; decorate it with @njit({signature})")
    if signature.args not in overloads and kernel._can_compile:
        kernel.compile(signature)
    result = overloads.get(signature.args)
    if result is None or result.signature.return_type != signature.return_type:
        raise TypeError(
            f"kernel {kernel.__name__} has signature {list(kernel.signatures)}, but only {signature} can be called here"
        )
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def entry(kernel: Any, *arguments: Any) -> Callable[..., Any]:
    """The kernel as compiled for arguments of these types, to be called many times from Python.

    Calling a kernel the ordinary way looks at the type of every argument, which for records costs more than the call.
    The types of later arguments are not looked at: they must be the same.
    """
    if not COMPILING:
        function: Callable[..., Any] = kernel
        return function
    signature = tuple(numba.typeof(argument) for argument in arguments)
    if signature not in kernel.overloads:
        kernel.compile(signature)
    compiled: Callable[..., Any] = kernel.overloads[signature].entry_point
    return compiled


def call_by_address(signature: Any) -> Callable[..., Any]:
    """Make a function `call(address, *arguments)` that kernels use to call another kernel of that signature.

    An exception raised inside the called kernel arrives in the caller.
    """
    if not COMPILING:
        return lambda key, *arguments: _uncompiled[key](*arguments)

    parameters = ", ".join(f"a{i}" for i in range(len(signature.args)))

    def typed(typing_context: Any, target: Any, *arguments: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(signature.return_type, signature.args)
            pointer = builder.inttoptr(values[0], kind.as_pointer())
            status, result = convention.call_function(
                builder, pointer, signature.return_type, signature.args, values[1:]
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return signature.return_type(types.int64, *signature.args), generate

    # An intrinsic must name its parameters one by one, and their number is the signature's.
    namespace: dict[str, Any] = {"typed": typed}
    exec(
        f"def call(typing_context, target, {parameters}): return typed(typing_context, target, {parameters})",
        namespace,
    )
    call: Callable[..., Any] = intrinsic(namespace["call"])
    return call
