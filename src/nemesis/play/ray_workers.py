"""Workers of a Ray cluster: many machines behind the same `run_blocks`.

"ray" starts a Ray of our own on this machine and never joins one that happens to run; an address names a cluster that is
running. Ray itself sends the block of a dead worker or node to another. Nodes keep their own caches and must have the
same sources and versions as this process, or results could differ: every worker compares before it begins. Ray does not
tell how a worker ended. So when an agent is stuck, the watchdog leaves the sentence that names it in a file of its node, and
whoever tries the block again there raises it.
The extra `ray` installs it: pip install 'nemesis-poker[ray]'.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import signal
import socket
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from nemesis.play.guard import leave_sentence_in
from nemesis.play.workers import TRIES, cores, worker_died
from nemesis.respond.agent import AgentError

_OWN = "ray"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent anywhere
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
_PASSED_ON = ("NEMESIS_", "NUMBA_", "OPENBLAS_NUM_THREADS")
_OBJECT_STORE = 256 * 1024 * 1024
_KNOCK_SECONDS = 5.0

_connected: str | None = None


class RayPool:
    """The processors of a Ray cluster."""

    def __init__(self, where: str) -> None:
        self._ray = _connect(where)
        self._where = where
        remote = self._ray.remote(num_cpus=1, max_retries=TRIES - 1)
        self._task = remote(_work)

    @property
    def width(self) -> int:
        """As many blocks as the cluster has processors now; nodes come and go."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, work: Callable[[Any], Any], block: Any) -> _Sent:
        """Send a block."""
        return _Sent(self, block, self._task.remote(fingerprint(), uuid.uuid4().hex, work, block))

    def abandon(self) -> None:
        """Leave the cluster, which ends what is not finished; the next blocks connect again.

        `ray.cancel` will not do: when a block ends just then, Ray 2.60 aborts the process that asked. In a Ray that is the
        program's own, the last blocks are left to end by themselves: there are at most two for every processor.
        """
        _disconnect()

    def wait_for(self, sent: _Sent) -> Any:
        """The outcome of a block."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(sent.reference)
        except errors.RayTaskError as error:
            raise error.cause from None
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError) as error:
            raise worker_died(sent.block, type(error).__name__) from None
        except errors.RayError as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise ConnectionError(f"the Ray cluster {self._where} does not answer any more: {reason}") from None


class _Sent:
    """A block and Ray's reference to its outcome."""

    def __init__(self, pool: RayPool, block: Any, reference: Any) -> None:
        self.pool, self.block, self.reference = pool, block, reference

    def result(self) -> Any:
        """Wait for the outcome."""
        return self.pool.wait_for(self)


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """What must be equal for results to be equal: our sources and the versions of what they stand on."""
    import numba
    import numpy as np

    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return f"sources {digest.hexdigest()[:12]}, Python {python}, Numba {numba.__version__}, NumPy {np.__version__}"


def _work(wanted: str, label: str, work: Callable[[Any], Any], block: Any) -> Any:
    """What a worker does: `work(block)`, if it is the work that was meant."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if fingerprint() != wanted:
        raise ValueError(
            f"node {platform.node()} of the Ray cluster has {fingerprint()}, but this process has {wanted}; "
            f"install the same version of nemesis-poker on every node"
        )
    if not getattr(block, "players", ()):
        return work(block)
    with _sentence_of_last_try(Path(tempfile.gettempdir()) / f"nemesis-{label}"):
        return work(block)


@contextmanager
def _sentence_of_last_try(file: Path) -> Iterator[None]:
    """Raise what the watchdog said when this block was tried here before; else let it say so in this file."""
    try:
        said = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        said = ""
    if said:
        file.unlink()
        raise AgentError(said.removeprefix("nemesis: "))
    descriptor = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
    leave_sentence_in(descriptor)
    try:
        yield
    finally:
        leave_sentence_in(None)
        os.close(descriptor)
        file.unlink(missing_ok=True)


def _connect(where: str) -> Any:
    """Ray, connected to `where`; a connection that this process has is used again."""
    global _connected
    ray = _imported()
    if ray.is_initialized() and _connected == where:
        return ray
    if ray.is_initialized() and _connected is None:
        if where != _OWN:
            raise ValueError(f"this program is connected to a Ray already and cannot use {where}; give workers='ray'")
        return ray  # the program's own
    _disconnect()
    handler = signal.getsignal(signal.SIGTERM)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if where == _OWN:
            with _loopback_only():
                ray.init(
                    address="local",
                    num_cpus=cores(),
                    include_dashboard=False,
                    object_store_memory=_OBJECT_STORE,
                    **quiet,
                )
        else:
            _knock(where)
            passed_on = {name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)}
            ray.init(address=where, runtime_env={"env_vars": passed_on}, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise ConnectionError(
            f"no Ray cluster answers at {where}: {reason} (one that asks for a token wants RAY_AUTH_MODE and RAY_AUTH_TOKEN)"
        ) from None
    except SystemExit:  # a SIGTERM came meanwhile, and Ray's handler had it
        _give_back(handler)
        signal.raise_signal(signal.SIGTERM)
        raise
    finally:
        _give_back(handler)
    _connected = where
    return ray


def _give_back(handler: Any) -> None:
    """Put the handler of SIGTERM back that Ray replaced by its own."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)


def _disconnect() -> None:
    """Close the connection that this module made, if there is one."""
    global _connected
    if _connected is not None:
        _imported().shutdown()
        _connected = None


def _knock(where: str) -> None:
    """Find out at once whether somebody listens there; Ray would try for half a minute."""
    host, _, port = where.removeprefix("ray://").rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK_SECONDS).close()


@contextmanager
def _loopback_only() -> Iterator[None]:
    """Let a Ray that starts now listen on 127.0.0.1 alone, as it does where clusters are not supported."""
    from ray._private import ray_constants

    before = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = before


def _imported() -> Any:
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise ValueError("Ray is not installed; install it with: pip install 'nemesis-poker[ray]'") from None
    return ray
