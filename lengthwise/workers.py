"""Several workers on one pile of jobs, none of which outlives the others' trouble."""

import asyncio
from collections.abc import Awaitable, Callable


async def run_workers(worker: Callable[[], Awaitable[None]], count: int) -> None:
    """Run `count` workers until all are done; the first that raises ends the others, and its error is raised.

    Args:
        worker: takes jobs from what the workers share until there are none.
        count: how many (>= 0).
    """

    async def work() -> None:
        await worker()

    tasks: list[asyncio.Task[None]] = []
    try:
        for _ in range(count):
            tasks.append(asyncio.create_task(work()))
            # One at a time: what the first does is on its way while the others get ready.
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
