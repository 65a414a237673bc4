"""Compiled kernels: one decorator, and calling a kernel by its address.

Every hot function of the house is an `@njit` kernel over arrays its caller owns; `kernel_cache` keeps the machine code.

A loop that is compiled once must be able to call kernels it has never seen (any agent in any seat). We pass kernels as
plain int64 *addresses* and call them through `call_by_address`. An address carries no type, so `address` refuses a kernel
whose signature is not exactly the one the loop will use: a wrong one is silent garbage.

With compilation off (`NUMBA_DISABLE_JIT=1`) an address is a key into a table of the plain Python functions, so the
same loops run uncompiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from nemesis.runtime.kernel_cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])

COMPILING: bool = not numba.config.DISABLE_JIT
MEMORY_ARRAY = types.Array(types.float64, 1, "C")
"""The flat memory of an agent or a model, as kernels take it."""

if not COMPILING:
    np.seterr(over="ignore")  # whole numbers wrap around in compiled code, so they must here


def njit(signature: Any = None, **options: Any) -> Callable[[F], F]:
    """`numba.njit` with our cache, typed so that a decorated function keeps its type.

    A kernel with a signature is compiled for it when it is first called or its address is asked for, not on import.
    """

    kept = options.pop("cache", True)

    def decorate(function: F) -> F:
        kernel: Any = numba.njit(**options)(function)
        if COMPILING:
            kernel.declared = signature
            if kept:
                kernel._cache = KernelCache(function)
        return cast(F, kernel)

    return decorate


def inlined(function: F) -> F:
    """A small kernel without a signature of its own, merged by LLVM into whichever kernel calls it."""
    return njit(error_model="numpy", forceinline=True)(function)


_uncompiled: dict[int, Callable[..., Any]] = {}
_entries: dict[Any, Callable[..., Any]] = {}


def address(kernel: Any, signature: Any) -> int:
    """The address of a compiled kernel, after checking that it was compiled for exactly `signature`."""
    if not COMPILING:
        key = id(kernel)
        _uncompiled[key] = kernel
        return key
    if not hasattr(kernel, "overloads"):
        raise TypeError(f"{kernel!r} is not a compiled kernel; decorate it with @njit({signature})")
    declared = getattr(kernel, "declared", None)
    if declared is None or declared == signature:
        _compile(kernel, signature)
    result = kernel.overloads.get(signature.args)
    if result is None or result.signature.return_type != signature.return_type:
        compiled_for = declared or list(kernel.signatures)
        raise TypeError(
            f"kernel {kernel.__name__} has signature {compiled_for}, but only {signature} can be called here"
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
    known = (kernel, *map(_kind, arguments))
    if known not in _entries:
        signature = tuple(numba.typeof(argument) for argument in arguments)
        declared = getattr(kernel, "declared", None)
        _compile(kernel, declared if declared is not None and declared.args == signature else signature)
        _entries[known] = kernel.overloads[signature].entry_point
    return _entries[known]


def _kind(argument: Any) -> Any:
    """What decides an argument's type in Numba, which itself takes a hundred times as long to find it out."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, tuple):
        return type(argument), *map(_kind, argument)
    return type(argument)


def _compile(kernel: Any, signature: Any) -> None:
    """Compile the kernel for a signature, or for argument types alone, unless that is done."""
    if getattr(signature, "args", signature) not in kernel.overloads and kernel._can_compile:
        kernel.compile(signature)


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
