"""Parts of arrays handed to kernels without counting references, which is atomic and costs more than a small kernel's work.

The caller keeps the array alive for as long as the part is used. `array_at` makes a function that gives kernels an array by
its address, for tables that are too large to be copied into an agent's memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from nemesis.runtime.compiled import COMPILING

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

    def _unowned(typing_context: Any, whole: Any) -> Any:
        """A whole array of any shape, or a tuple of arrays, in the same way.

        Numba counts whenever an array is handed to a function.
        """

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return _uncounted(context, builder, signature.args[0], values[0])

        return whole(whole), generate

    def _uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, BaseTuple):
            places = (builder.extract_value(value, place) for place in range(len(kind)))
            parts = [_uncounted(context, builder, *part) for part in zip(kind, places, strict=True)]
            return context.make_tuple(builder, kind, parts)
        if not isinstance(kind, types.Array):
            return value
        array, same = (context.make_array(kind)(context, builder, *given) for given in ((value,), ()))
        populate_array(
            same, data=array.data, shape=array.shape, strides=array.strides, itemsize=array.itemsize, meminfo=None
        )
        return same._getvalue()

    def array_at(dtype: np.dtype[Any]) -> Callable[[Any, Any], Any]:
        """A function `array(address, size)` for kernels: so many elements of this type that lie there."""
        kind = types.Array(numba.from_dtype(dtype), 1, "C")

        def typed(typing_context: Any, address: Any, size: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                part = context.make_array(kind)(context, builder)
                width = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
                populate_array(
                    part,
                    data=builder.inttoptr(values[0], context.get_data_type(kind.dtype).as_pointer()),
                    shape=[values[1]],
                    strides=[width],
                    itemsize=width,
                    meminfo=None,
                )
                return part._getvalue()

            return kind(types.int64, types.int64), generate

        found: Callable[[Any, Any], Any] = intrinsic(typed)
        return found

    borrowed = intrinsic(_borrowed)
    unowned = intrinsic(_unowned)
    singles = intrinsic(_singles)
else:

    def _slice(array: Any, start: int, size: int) -> Any:
        return array[start : start + size]

    def _slice_singles(array: Any, start: int, size: int) -> Any:
        return array[start:].view(np.float32)[:size]

    def _whole(whole: Any) -> Any:
        return whole

    def array_at(dtype: np.dtype[Any]) -> Callable[[Any, Any], Any]:
        """The same without compiling."""

        def array(address: Any, size: Any) -> Any:
            there: Any = (ctypes.c_char * (int(size) * dtype.itemsize)).from_address(int(address))
            return np.frombuffer(there, dtype)

        return array

    borrowed = _slice
    unowned = _whole
    singles = _slice_singles
