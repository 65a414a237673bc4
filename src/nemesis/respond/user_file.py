"""What a user's own Python file defines, loaded by its path.

The cache of kernels knows a user's file by its text and remembers the name of its module, so the module is named after the
text: the same file works in another process and in another folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from nemesis.names import UnknownName, unknown
from nemesis.runtime.lifetime import Terminated


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False


@lru_cache(maxsize=64)
def from_file(path: str, attribute: str) -> Any:
    """The class or function of that name in a file."""
    where = Path(path)
    if not attribute:
        raise ValueError(f"{path} names a file but no agent in it; write {path}:ClassName")
    if not is_file(where):
        raise UnknownName(f"there is no file {path}")
    module_name = f"nemesis_user_{hashlib.sha256(where.read_bytes()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(module_name, where)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[module_name]
        if isinstance(error, (KeyboardInterrupt, Terminated)):
            raise
        raise ValueError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        names = [name for name, value in vars(module).items() if inspect.isclass(value) or inspect.isfunction(value)]
        raise unknown(f"agent in {path}", attribute, names)
    return getattr(module, attribute)
