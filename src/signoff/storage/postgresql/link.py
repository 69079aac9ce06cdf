"""The connections of this process to the shared store, and the thread that holds them.

asyncpg needs an event loop; those who store decisions are threads, event loops and short commands.
So one thread runs a loop of its own, with a few connections, and everybody hands work to it:

    link = StoreLink(address)
    link.run(lambda db: db.fetchval("SELECT 1"))           from a thread: waits
    await link.call(lambda db: db.fetchval("SELECT 1"))    from any event loop: waits, blocks nobody

Every wait has an end. After a failure to connect, or a silence in which nothing was done, work
fails at once, and every `AGAIN_S` a connection is tried: whoever is refused is refused quickly, and
nothing has to be restarted.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import ssl
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar

from signoff.errors import StoreError
from signoff.storage.postgresql.address import StoreAddress

try:
    import asyncpg
except ModuleNotFoundError as error:
    raise StoreError("`store: postgresql://` needs `pip install 'signoff[postgresql]'`") from error

TIMEOUT_S = 5.0
CONNECTIONS = 8
AGAIN_S = 0.5
GRACE_S = 2.0  # over the time limit of a statement, until a caller gives up on the thread
SCHEMA = "signoff"
Result = TypeVar("Result")
Db: TypeAlias = Any  # asyncpg declares no types
Work: TypeAlias = Callable[[Db], Awaitable[Result]]


class StoreLink:
    """Runs database work on a thread with an event loop and a pool of connections.

    Args:
        timeout_s: longest time one piece of work takes, connecting included.
        prepare: is given the first connection of this process, before anything else is done.
    """

    def __init__(
        self,
        address: StoreAddress,
        *,
        timeout_s: float = TIMEOUT_S,
        prepare: Work[None] | None = None,
    ) -> None:
        self.address, self.timeout_s = address, timeout_s
        self._prepare = prepare
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pid = 0
        self._pools: list[Db] = []  # none or one; the thread closes what is in it when it ends
        self._opening: asyncio.Lock | None = None
        self._thread: threading.Thread | None = None
        self._failure = ""
        self._retrying: asyncio.Task[None] | None = None  # as long as there is a failure
        self._tried: asyncio.Event | None = None  # after a silence: set once it was tried again
        self._tried_until_s = 0.0  # until when that is waited for
        self._heard_s = 0.0  # when work was last done

    def problem(self) -> str:
        """Return why the last attempt to reach the store failed, "" if it did not."""
        return self._failure

    def run(self, work: Work[Result]) -> Result:
        """Run work with a connection; blocks the calling thread.

        Raises:
            StoreError: it was not done, or that cannot be known.
        """
        future = self.submit(work)
        try:
            return future.result(self.timeout_s + GRACE_S)
        except concurrent.futures.TimeoutError as error:
            future.cancel()
            raise StoreError(f"`{self.address.shown}` does not answer") from error

    async def call(self, work: Work[Result]) -> Result:
        """Run work with a connection; the event loop is not blocked.

        Raises:
            StoreError: it was not done, or that cannot be known.
        """
        return await asyncio.wrap_future(self.submit(work))

    def submit(self, work: Work[Result]) -> concurrent.futures.Future[Result]:
        """Queue work with a connection on the thread; return the future of its result."""
        return self.hand_over(self._with_connection(work))

    def hand_over(self, work: Awaitable[Result]) -> concurrent.futures.Future[Result]:
        """Run an awaitable on the thread's event loop; return the future of its result."""
        return asyncio.run_coroutine_threadsafe(_awaited(work), self._running())

    def close(self) -> None:
        """Close the connections and end the thread; the next use starts it again."""
        with self._lock:
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
        if loop is not None and thread is not None and self._pid == os.getpid():
            _stop(loop, self._pid)
            thread.join(GRACE_S)

    async def acquire(self, until_s: float | None = None) -> Db:
        """Take a connection from the pool; call it on the thread's loop.

        Args:
            until_s: deadline by the loop's clock; None = no deadline.

        Raises:
            StoreError: the store cannot be reached.
        """
        # After a silence it is being tried at this moment.
        if self._failure and self._tried is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._tried_until_s):
                    await self._tried.wait()
        # A call that is refused now is better than one that waits for a store that is down.
        if self._failure:
            raise StoreError(self._failure)
        try:
            return await self._connection(until_s or self._until_s())
        except StoreError as error:
            self._note_failure(str(error))
            raise

    async def _connection(self, until_s: float) -> Db:
        try:
            async with asyncio.timeout_at(until_s):
                pool = await self._opened()
                return await pool.acquire()
        except StoreError:
            raise
        except Exception as error:
            why = str(error) or "no answer in time"
            raise StoreError(f"cannot reach the store `{self.address.shown}`: {why}") from error

    def _until_s(self) -> float:
        """Return until when work that begins now is waited for."""
        return asyncio.get_running_loop().time() + self.timeout_s

    def _note_failure(self, why: str, *, pause_s: float = AGAIN_S) -> None:
        """Refuse all work at once, until a connection could be had again."""
        self._failure = why
        if self._retrying is None or self._retrying.done():
            loop = asyncio.get_running_loop()
            self._retrying = loop.create_task(self._try_again(pause_s))

    async def _try_again(self, pause_s: float) -> None:
        """Try to connect until that succeeds: whoever asks meanwhile does not wait for it."""
        while self._failure:
            await asyncio.sleep(pause_s)
            try:
                db = await self._connection(self._until_s())
            except StoreError as error:
                self._failure, pause_s = str(error), AGAIN_S
            else:
                self._failure = ""
                await self.release(db)
            if self._tried is not None:
                self._tried.set()

    async def release(self, db: Db, *, is_broken: bool = False) -> None:
        """Return a connection to the pool; a broken one is closed."""
        # Given back within a transaction, the next user's statements would be part of it.
        # A pool that saw the connection break may have taken it back already, and then says so.
        with suppress(Exception):
            if is_broken or db.is_in_transaction():
                db.terminate()
        with suppress(Exception):  # it is closed, or the pool closes it
            for pool in self._pools:
                await pool.release(db, timeout=GRACE_S)

    async def _with_connection(self, work: Work[Result]) -> Result:
        # One end for both: a caller is told how long it waits at most.
        until_s = self._until_s()
        began_s = time.monotonic()
        db = await self.acquire(until_s)
        is_broken = True
        try:
            with our_errors(self.address):
                async with asyncio.timeout_at(until_s):
                    result = await work(db)
            is_broken = False
            self._heard_s = time.monotonic()
            return result
        except StoreError as error:
            is_broken = not isinstance(error.__cause__, asyncpg.PostgresError) or isinstance(
                error.__cause__, asyncpg.PostgresConnectionError
            )
            # One that is slow in one thing goes on with the others.
            if isinstance(error.__cause__, TimeoutError) and self._heard_s < began_s:
                self._suspect_all(str(error))
            raise
        finally:
            await self.release(db, is_broken=is_broken)

    def _suspect_all(self, why: str) -> None:
        """Use no connection from before a silence again, also for what is under way.

        Where the network forgot them, each would be silent for as long, one after the other.
        """
        for pool in self._pools:
            pool.terminate()
        self._pools.clear()
        self._tried = asyncio.Event()
        self._tried_until_s = asyncio.get_running_loop().time() + AGAIN_S
        self._note_failure(why, pause_s=0)

    async def listener(self) -> Db:
        """Open a connection outside the pool, for LISTEN; call it on the thread's loop.

        Raises:
            StoreError: the store cannot be reached.
        """
        with our_errors(self.address):
            return await asyncpg.connect(**_options(self.address, self.timeout_s))

    async def _opened(self) -> Db:
        """Return the pool; who comes first opens it."""
        if self._opening is None:
            self._opening = asyncio.Lock()
        async with self._opening:
            if not self._pools:
                pool = await self._connected()
                try:
                    await self._prepared(pool)
                except BaseException:
                    pool.terminate()
                    raise
                self._pools.append(pool)
            return self._pools[0]

    async def _prepared(self, pool: Db) -> None:
        if self._prepare is not None:
            async with pool.acquire() as db:
                with our_errors(self.address):
                    await self._prepare(db)

    async def _connected(self) -> Db:
        return await asyncpg.create_pool(
            **_options(self.address, self.timeout_s), min_size=0, max_size=CONNECTIONS
        )

    def _running(self) -> asyncio.AbstractEventLoop:
        """Return the loop of the thread, started if need be; a forked child starts its own."""
        with self._lock:
            if self._loop is None or self._pid != os.getpid():
                self._loop, self._pid = asyncio.new_event_loop(), os.getpid()
                self._pools, self._opening = [], None
                self._failure, self._retrying, self._tried = "", None, None
                self._thread = threading.Thread(
                    target=_drive, args=(self._loop, self._pools), name="signoff-store", daemon=True
                )
                self._thread.start()
                weakref.finalize(self, _stop, self._loop, self._pid)
            return self._loop


def _options(said: StoreAddress, timeout_s: float) -> Mapping[str, Any]:
    """Return the options for a connection."""
    return {
        "host": [host for host, _ in said.hosts],
        "port": [port for _, port in said.hosts],
        "user": said.user,
        "database": said.database,
        "password": said.password(),
        "ssl": _tls(said),
        "target_session_attrs": "read-write",  # after a failover the new primary, no replica
        "timeout": timeout_s,
        "command_timeout": timeout_s,
        "server_settings": {
            # Without the node's name: every role of the database can read it.
            "application_name": "signoff",
            "search_path": SCHEMA,
            # A server may be set to `off`: it then confirms what a crash can still lose.
            "synchronous_commit": "on",
            # The server ends what waits too long as well: a client that is gone must not hold
            # rows.
            "lock_timeout": f"{int(timeout_s * 1000)}",
            "idle_in_transaction_session_timeout": f"{int(timeout_s * 2000)}",
        },
    }


def _tls(address: StoreAddress) -> ssl.SSLContext | bool:
    """Return how the connection is secured; False = not at all.

    Raises:
        StoreError: the root certificate cannot be read.
    """
    if not address.has_tls:
        return False
    try:
        return ssl.create_default_context(cafile=address.root_certificate or None)
    except OSError as error:
        raise StoreError(f"cannot read `{address.root_certificate}`: {error}") from error


async def _awaited(work: Awaitable[Result]) -> Result:
    try:
        return await work
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Nobody asked for it: the driver gave up a wait of its own as the connection broke off.
        raise StoreError("the connection to the store broke off") from error


def _drive(loop: asyncio.AbstractEventLoop, pools: list[Db]) -> None:
    """Run the loop until it is stopped; then close what was opened on it."""
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        loop.run_until_complete(_ended(pools))
    finally:
        loop.close()


async def _ended(pools: list[Db]) -> None:
    for pool in pools:
        pool.terminate()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0)  # transports close in the next turn


def _stop(loop: asyncio.AbstractEventLoop, pid: int) -> None:
    if pid == os.getpid() and not loop.is_closed():
        loop.call_soon_threadsafe(loop.stop)


@contextmanager
def our_errors(address: StoreAddress) -> Iterator[None]:
    """Turn every error of the driver, server or network into StoreError.

    A broken connection leaves a driver in states of its own, so all exceptions are caught.
    """
    try:
        yield
    except StoreError:
        raise
    except TimeoutError as error:  # one of OSError's as well
        raise StoreError(f"the store `{address.shown}` did not answer in time") from error
    except Exception as error:
        raise StoreError(f"cannot use the store `{address.shown}`: {error}") from error
