"""Sums for eight things at once: eight single-precision numbers, its *lanes*, are one vector of the processor.

Compilers turn long loops over contiguous memory into vector instructions, and loops of eight into nothing good. Where
eight candidates lie side by side, the multiplication of a matrix by all of them is written here in vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from nemesis.runtime.compiled import COMPILING

LANES = 8

put_products: Callable[[Any, Any, Any, Any, Any, Any, Any, Any], None]
if COMPILING:

    def _put_products(
        typing_context: Any,
        sums: Any,
        place: Any,
        bias: Any,
        matrix: Any,
        start: Any,
        step: Any,
        values: Any,
        count: Any,
    ) -> Any:
        """Write to the lanes of `place` in `sums` the bias and the sum of `count` values, each times a number of the matrix.

        `matrix[start + step * i]` is the number of value `i`. Lanes of `i` are from `LANES * i` on. All are 1-d arrays of
        single precision that do not overlap.
        """

        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            arrays = {}
            for name, at in (("sums", 0), ("matrix", 3), ("values", 6)):
                arrays[name] = context.make_array(signature.args[at])(context, builder, given[at]).data
            _, place, bias, _, start, step, _, count = given
            vector = ir.VectorType(ir.FloatType(), LANES)
            lanes = ir.Constant(place.type, LANES)

            def of(array: str, number: Any) -> Any:
                return builder.bitcast(builder.gep(arrays[array], [builder.mul(number, lanes)]), vector.as_pointer())

            spread = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            nothing = ir.Constant(vector, ir.Undefined)

            def in_lanes(number: Any) -> Any:
                first = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
                return builder.shuffle_vector(first, nothing, spread)

            total = cgutils.alloca_once_value(builder, in_lanes(bias))
            with cgutils.for_range(builder, count) as loop:
                number = builder.gep(arrays["matrix"], [builder.add(start, builder.mul(step, loop.index))])
                value = builder.load(of("values", loop.index), align=4)
                product = builder.fmul(in_lanes(builder.load(number)), value)
                builder.store(builder.fadd(builder.load(total), product), total)
            builder.store(builder.load(total), of("sums", place), align=4)
            return context.get_dummy_value()

        singles = types.Array(types.float32, 1, "C")
        index = types.int64
        return types.void(singles, index, types.float32, singles, index, index, singles, index), generate

    put_products = intrinsic(_put_products)
else:

    def _put_products_slowly(
        sums: Any, place: int, bias: Any, matrix: Any, start: int, step: int, values: Any, count: int
    ) -> None:
        lanes = sums[LANES * place : LANES * (place + 1)]
        lanes[:] = bias
        for i in range(count):
            lanes += matrix[start + step * i] * values[LANES * i : LANES * (i + 1)]

    put_products = _put_products_slowly
