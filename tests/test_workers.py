import asyncio

import pytest

from lengthwise.workers import run_workers


def test_all_jobs_are_done_by_as_many_workers() -> None:
    jobs, done = iter(range(7)), []

    async def worker() -> None:
        for job in jobs:
            await asyncio.sleep(0)
            done.append(job)

    asyncio.run(run_workers(worker, 3))
    assert sorted(done) == list(range(7))


def test_the_first_error_ends_the_others_before_it_is_raised() -> None:
    jobs, ended = iter(range(3)), []

    async def worker() -> None:
        job = next(jobs)
        try:
            if job == 1:
                raise ValueError("job 1")
            await asyncio.sleep(3600)
        finally:
            ended.append(job)

    with pytest.raises(ValueError, match="job 1"):
        asyncio.run(run_workers(worker, 3))
    assert sorted(ended) == [0, 1, 2]
