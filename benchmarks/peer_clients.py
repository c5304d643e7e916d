"""Prompts sent by a bare client: `python peer_clients.py aiohttp|openai ADDRESS PROMPTS.jsonl CONCURRENCY`."""

import asyncio
import json
import sys


async def with_aiohttp(address: str, prompts: list[str], concurrency: int) -> int:
    """Send all prompts by aiohttp, some at a time; return how many were answered."""
    import aiohttp

    waiting = iter(prompts)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def work() -> int:
            done = 0
            for prompt in waiting:
                body = {"model": "stub", "messages": [{"role": "user", "content": prompt}], "max_tokens": 100}
                async with session.post(address + "/chat/completions", json=body) as response:
                    done += "message" in (await response.json())["choices"][0]
            return done

        return sum(await asyncio.gather(*(work() for _ in range(concurrency))))


async def with_openai(address: str, prompts: list[str], concurrency: int) -> int:
    """Do the same by OpenAI's client."""
    from openai import AsyncOpenAI

    waiting = iter(prompts)
    async with AsyncOpenAI(base_url=address, api_key="none", max_retries=0) as client:

        async def work() -> int:
            done = 0
            for prompt in waiting:
                reply = await client.chat.completions.create(
                    model="stub", messages=[{"role": "user", "content": prompt}], max_tokens=100
                )
                done += bool(reply.choices[0].message.content)
            return done

        return sum(await asyncio.gather(*(work() for _ in range(concurrency))))


def main(kind: str, address: str, path: str, concurrency: str) -> None:
    """Send the prompts of a file."""
    with open(path) as file:
        prompts = [json.loads(line)["prompt"] for line in file]
    client = {"aiohttp": with_aiohttp, "openai": with_openai}[kind]
    assert asyncio.run(client(address, prompts, int(concurrency))) == len(prompts)


if __name__ == "__main__":
    main(*sys.argv[1:])
