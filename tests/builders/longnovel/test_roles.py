from pathlib import Path
from typing import Any

import pytest

from lengthwise.builders.longnovel.roles import SLOTS, parse_roles, read_roles, roles_json
from lengthwise.contracts import Sampling
from lengthwise.errors import InputError

ALL: dict[str, Any] = dict.fromkeys(SLOTS, "openai:m")


def test_twelve_slots() -> None:
    assert len(SLOTS) == len(set(SLOTS)) == 12


def test_defaults_then_the_slots_own() -> None:
    roles = parse_roles(
        {"defaults": {"model": "openai:m", "temperature": 0.5}, "critic": {"temperature": 0, "top_p": 0.9}}
    )
    assert roles["critic"].sampling == Sampling(max_tokens=8192, temperature=0, top_p=0.9)
    assert roles["arbiter"].sampling == Sampling(max_tokens=8192, temperature=0.5)
    assert tuple(roles) == SLOTS


def test_a_spec_alone() -> None:
    assert (
        parse_roles({**ALL, "judge-1": "http://localhost:8000/v1#q"})["judge-1"].model == "http://localhost:8000/v1#q"
    )


def test_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "roles.toml"
    file.write_text('extractor = "offline"\n[defaults]\nmodel = "openai:m"\n[arbiter]\napi_key_env = "MY_KEY"\n')
    roles = read_roles(file)
    assert (roles["extractor"].model, roles["arbiter"].api_key_env) == ("offline", "MY_KEY")


def test_zero_is_one_number() -> None:
    whole, real = (parse_roles({**ALL, "critic": {"model": "openai:m", "temperature": zero}}) for zero in (0, 0.0))
    assert repr(whole) == repr(real)


def test_json_goes_back_and_forth() -> None:
    roles = parse_roles({**ALL, "extractor": "offline", "critic": {"model": "openai:c", "temperature": 0.0}})
    assert parse_roles(roles_json(roles)) == roles


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"judge": "openai:m"}, "unknown slot in roles.toml 'judge': did you mean 'judge-"),
        ({"arbiter": {"temprature": 1}}, "arbiter 'temprature': did you mean 'temperature'"),
        ({"arbiter": {"api_key": "sk-1"}}, "'api_key' must not stand in the file"),
        ({"defaults": {"token": "hf_1"}}, "'token' must not stand in the file"),
        ({"arbiter": {"model": "openai:m", "api_key_env": "sk-1-2"}}, "name of an environment variable"),
        ({"arbiter": "http://me:pw@host/v1#m"}, "must not hold a name, a password"),
        ({"arbiter": "http://localhost:8000/v1"}, "lacks the model's name"),
        ({"arbiter": {"model": "openai:m", "max_tokens": True}}, "max_tokens = True must be int"),
        ({"arbiter": {"model": "openai:m", "max_tokens": 0}}, "must be in 1 to"),
        ({"arbiter": {"model": "openai:m", "temperature": "hot"}}, "must be int or float"),
        ({"arbiter": "offline"}, "only the extractor"),
        ({"arbiter": {}}, "no model for arbiter"),
        ({"arbiter": 3}, "must be a model's spec or a table"),
        ({"arbiter": ""}, "model must be a spec"),
    ],
)  # fmt: skip
def test_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_roles({**ALL, **change})
    assert message in str(caught.value)
    assert "sk-1" not in str(caught.value) and "hf_1" not in str(caught.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_roles(tmp_path / "roles.toml")


def test_no_toml(tmp_path: Path) -> None:
    (tmp_path / "roles.toml").write_text("critic: m")
    with pytest.raises(InputError, match="is no TOML"):
        read_roles(tmp_path / "roles.toml")


def test_the_papers_roles_in_the_docs_can_be_read() -> None:
    roles = read_roles(Path(__file__).parents[3] / "docs/longnovel_roles.toml")
    assert len({role.model for role in roles.values()}) == 8
