"""The content of a small build is the same everywhere; see CONTRIBUTING for when these may change."""

from pathlib import Path

import pytest

from lengthwise.builders.hub_folder import read_build
from lengthwise.builders.multi_instance.build import build_multi_instance
from lengthwise.builders.multi_instance.settings import InstanceSettings
from lengthwise.builders.multi_instance.tasks import TASKS

SETTINGS = InstanceSettings(sizes=(2, 5), seeds=(1, 2))
GOLDEN = {
    "arithmetic": "1fbfacef5a7701a41f4653ed13415237199077d371b306d390d4031acd3e1953",
    "category": "c2878dbfb8cdb0a64917681ece702b6e5443f61860c9660a5f9b78d1d44852c7",
    "language": "59fe535092caafc2b64db1b3b5fd13a3eac3be21b254a547cb736d4365cf05de",
    "ner": "7d484c38dca762a9e9d29dd70a4e540e10cda80830b9f85f0d7da8949c98fa41",
    "parity": "b75dc61e0087334867e8b3fd4b5f6827b1eb65c96be19a5d81cf9a1ca38ea4ec",
    "sentiment": "2f064b3eba97f99f86c3694a53605a63758e0bcfd01260d079132e418d29a399",
    "word": "12c0432378963c280f8994f9b4f100ebbc2bea3a2b664af7ab2be5fa241aa52a",
    "wsd": "a66281c294fade1752fbd1cf3d8a73c3f7e46bd36e4c7c5ea2478550a418dc36",
}


@pytest.mark.parametrize("task", TASKS)
def test_digest_of_a_small_build(tmp_path: Path, task: str) -> None:
    configs = (task, f"{task}-instances", f"{task}-noise-random", f"{task}-shuffled", f"{task}-longest")
    build_multi_instance(tmp_path / "out", configs, settings=SETTINGS)
    assert read_build(tmp_path / "out")["digest"] == GOLDEN[task]
