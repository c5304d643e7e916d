from dataclasses import replace

from rag_cases import row, write_rows
from shard_cases import FAST, run_shards, same_runs

from lengthwise.evaluators.merging import merge_runs
from lengthwise.evaluators.runner import run_benchmark
from lengthwise.evaluators.settings import RunSettings

# Which of two rows pays for what both have embedded is then the same each time.
ONE_BY_ONE = replace(FAST, concurrency=1)


def test_rows_of_a_book_stay_together_and_share_what_is_embedded_once(server, tmp_path):
    rows = [row(language, 0, false) for language in ("en", "zh") for false in (False, True)]
    data = write_rows(tmp_path / "novels", rows)
    about = RunSettings(str(data), server.spec, method="rag", roles={"embed": f"{server.url}#fake-m3"})
    run_benchmark(about, tmp_path / "plain", ONE_BY_ONE)
    plain = sorted(server.embedded)
    server.embedded.clear()
    merge_runs(run_shards(about, tmp_path, 2, ONE_BY_ONE), tmp_path / "merged")
    assert sorted(server.embedded) == plain
    same_runs(tmp_path / "plain", tmp_path / "merged")
