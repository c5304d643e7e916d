import json

import pytest
from faulty_server import Step, completion
from run_helpers import write_data


def refused(done, *parts):
    """Check for one clear line on stderr, exit code 2."""
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    for part in parts:
        assert part in done.stderr


def test_a_run_prints_its_table_on_stdout_and_its_bar_on_stderr(data, tmp_path, lengthwise):
    done = lengthwise("run", data, "--model", "reference:gold", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert "lex-locate" not in done.stderr
    assert "100" in done.stdout
    assert "correct 6" in done.stderr
    assert (tmp_path / "out" / "results.json").exists()


def test_quiet_says_nothing_but_results(data, lengthwise):
    done = lengthwise("run", data, "--model", "reference:gold", "--out", "out", "--quiet")
    assert done.stderr == ""
    assert done.stdout


def test_splits_with_commas_or_repeated(tmp_path, lengthwise):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 2, "lex-locate/8k": 2, "lex-locate/16k": 2})
    common = ("run", data, "lex-locate", "--model", "reference:gold")
    assert lengthwise(*common, "--out", "a", "--split", "4k,16k").returncode == 0
    assert lengthwise(*common, "--out", "b", "--split", "4k", "--split", "16k").returncode == 0
    one, two = (json.loads((tmp_path / name / "run.json").read_text())["data"] for name in ("a", "b"))
    assert one == two
    assert one["splits"] == ["4k", "16k"]


def test_options_reach_the_run(data, server, tmp_path, lengthwise):
    done = lengthwise(
        *("run", data, "--model", server.spec, "--out", "out", "--limit", 2, "--repeats", 2, "--max-tokens", 50),
        *("--temperature", 0.5, "--top-p", 0.9, "--reasoning-effort", "low", "--thinking-tokens", 7),
        *("--label", "mine", "--group", "small", "--size", "1B"),
    )
    assert done.returncode == 0, done.stderr
    assert len(server.seen) == 4
    body = server.seen[0].body
    assert (body["max_tokens"], body["temperature"], body["top_p"]) == (50, 0.5, 0.9)
    assert (body["reasoning_effort"], body["thinking_token_budget"]) == ("low", 7)
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["labels"] == {"label": "mine", "group": "small", "size": "1B"}
    assert run["sampling_origin"] == "changed"


def test_preflight_stops_before_the_first_request_and_writes_nothing(tmp_path, server, lengthwise):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 2, "lex-locate/128k": 2}, {"lex-locate/128k": 131_072})
    done = lengthwise("run", data, "--model", server.spec, "--out", "out")
    refused(
        done, "needs 147,136 tokens", "the server allows 40,960", "--split 4k", "--only-fitting (keeps 2 of 4 rows)"
    )
    assert server.seen == []
    assert not (tmp_path / "out").exists()


def test_only_fitting_says_how_many_of_each_cell(tmp_path, server, lengthwise):
    data = write_data(tmp_path / "data", {"lex-locate/4k": 2, "lex-locate/128k": 2}, {"lex-locate/128k": 131_072})
    done = lengthwise("run", data, "--model", server.spec, "--out", "out", "--only-fitting")
    assert done.returncode == 0, done.stderr
    assert "lex-locate/128k: 0 of 2 rows fit" in done.stderr
    assert len(server.seen) == 2
    assert json.loads((tmp_path / "out" / "run.json").read_text())["excluded"] == {"lex-locate/128k": 2}


def test_a_run_with_errors_says_so_and_how_to_go_on(data, server, lengthwise):
    server.default = lambda body: Step(422, {"error": {"message": "no"}})
    done = lengthwise("run", data, "--model", server.spec, "--out", "out")
    assert "incomplete: 6 of 6 ended in error" in done.stderr
    server.default = lambda body: Step(body=completion())
    again = lengthwise("run", "--from", "out/run.json", "--out", "out")
    assert again.returncode == 0, again.stderr
    assert "correct 6" in again.stderr


def test_from_takes_changes(data, server, tmp_path, lengthwise):
    assert (
        lengthwise("run", data, "--model", "reference:gold", "--out", "a", "--limit", 3, "--seed", 5).returncode == 0
    )
    assert lengthwise("run", "--from", "a/run.json", "--model", server.spec, "--out", "b").returncode == 0
    one, two = (json.loads((tmp_path / name / "run.json").read_text()) for name in ("a", "b"))
    assert [run["seed"] for run in (one, two)] == [5, 5]
    assert two["model"]["spec"] == server.spec


def test_dry_run_sends_nothing(data, server, tmp_path, lengthwise):
    done = lengthwise("run", data, "--model", server.spec, "--dry-run", "--repeats", 2)
    assert done.returncode == 0, done.stderr
    assert "calls          12" in done.stdout
    assert "no price known" in done.stdout
    assert server.seen == []
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["./nowhere", "--model", "reference:gold", "--out", "o"], ["'./nowhere' (taken as a folder)"]),
        (["data", "lex-lokate", "--model", "reference:gold", "--out", "o"], ["did you mean 'lex-locate'"]),
        (["data", "--split", "9k", "--model", "reference:gold", "--out", "o"], ["unknown split '9k'"]),
        (["data", "--model", "reference:gould", "--out", "o"], ["did you mean 'gold'"]),
        (["data", "--model", "vlm:x", "--out", "o"], ["unknown model kind 'vlm'"]),
        (["data", "--model", "reference:gold", "--method", "guess", "--out", "o"], ["unknown method 'guess'"]),
        (["data", "--model", "reference:gold", "--out", "o", "--limit", "-1"], ["--limit -1"]),
        (["data", "--model", "reference:gold", "--out", "o", "--repeats", "0"], ["--repeats 0"]),
        (["data", "--model", "reference:gold", "--out", "o", "--concurrency", "0"], ["--concurrency 0"]),
        (["data", "--model", "reference:gold", "--out", "o", "--temperature", "9"], ["--temperature 9"]),
        (["data", "--model", "reference:gold", "--out", "o", "--prices", "none.json"], ["--prices none.json"]),
        (["data", "--model", "http://h/v1#m", "--out", "o", "--timeout", "0"], ["--timeout 0"]),
        (["data", "--model", "reference:gold"], ["--out: name the folder"]),
        (["data", "--out", "o"], ["--model: name one"]),
        (["--model", "reference:gold", "--out", "o"], ["DATA: name a folder"]),
        (["data", "--from", "x/run.json", "--out", "o"], ["--from: names data"]),
        (["--from", "x/run.json", "--out", "o"], ["x/run.json: no such file"]),
    ],
)
def test_bad_input_is_one_clear_line(data, tmp_path, lengthwise, arguments, parts):
    refused(lengthwise("run", *arguments), *parts)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize(
    ("what", "part"),
    [
        ("benchmarks", "predicatelongbench"),
        ("configs", "lex-locate"),
        ("methods", "reask"),
        ("models", "openrouter"),
        ("metrics", "accuracy"),
    ],
)
def test_lists_have_a_line_each(lengthwise, what, part):
    one, everything = lengthwise("list", what).stdout, lengthwise("list").stdout
    assert part in one
    assert all(len(line.split(maxsplit=1)) == 2 for line in one.splitlines())
    assert f"{what}:\n" in everything
    assert part in everything


def test_an_unknown_list_names_the_nearest(lengthwise):
    refused(lengthwise("list", "model"), "did you mean 'models'")
