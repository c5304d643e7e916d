import re

import pytest
from run_helpers import write_data

from lengthwise.errors import InputError
from lengthwise.evaluators.examples import open_data
from lengthwise.evaluators.preflight import TEMPLATE_MARGIN, check_fit, largest_split
from lengthwise.evaluators.providers.base import Window

TOKENS = {"lex-locate/4k": 4_096, "lex-locate/16k": 16_384, "lex-locate/128k": 131_072}
SPLITS = ("4k", "16k", "128k")


@pytest.fixture
def data(tmp_path):
    return open_data(str(write_data(tmp_path / "data", dict.fromkeys(TOKENS, 3), TOKENS)))


def fit(data, window, reserve=16_000, **options):
    return check_fit(data[0].short_columns(data[1]), window, reserve, stream=data[0].stream, splits=SPLITS, **options)


def test_what_fits_is_left_as_it_is(data):
    found = fit(data, Window(131_072 + TEMPLATE_MARGIN + 16_000, "the server"))
    assert (len(found.examples), found.excluded, found.notes) == (9, {}, ())


def test_one_token_too_few_is_refused_with_the_numbers_and_the_ways_out(data):
    with pytest.raises(InputError) as caught:
        fit(data, Window(131_072 + TEMPLATE_MARGIN + 16_000 - 1, "the server"))
    said = str(caught.value)
    assert (
        "lex-locate/128k needs 147,136 tokens (131,072 of prompt, 64 for the chat template, 16,000 for output)" in said
    )
    assert "the server allows 147,135" in said
    assert "--split 16k; --only-fitting (keeps 6 of 9 rows)" in said


def test_qwen3_8b_as_it_ships(data):
    with pytest.raises(InputError, match=r"the server allows 40,960.*--split 16k.*--window 40960 --reserve 16064"):
        fit(data, Window(40_960, "the server"))


def test_data_built_with_the_window_and_reserve_that_are_named_fit(data, tmp_path):
    with pytest.raises(InputError) as caught:
        fit(data, Window(40_960, "the server"))
    built = re.search(r"--window (\d+) --reserve (\d+)", str(caught.value))
    tokens = {"lex-locate/22k": int(built[1]) - int(built[2])}
    assert fit(
        open_data(str(write_data(tmp_path / "built", {"lex-locate/22k": 1}, tokens))), Window(40_960, "the server")
    )


def test_documents_cannot_be_built_to_a_window(data):
    rows = data[0].short_columns(data[1])
    with pytest.raises(InputError) as caught:
        check_fit(rows, Window(40_960, "the server"), 16_000, stream=data[0].stream, splits=("full",))
    assert "--window" not in str(caught.value)


def test_the_command_for_a_larger_window_is_named(data):
    with pytest.raises(
        InputError, match=r"larger window, by the vLLM command that this prints: lengthwise serve-command m d$"
    ):
        fit(data, Window(40_960, "the server"), restart="lengthwise serve-command m d")


def test_no_split_is_named_where_none_fits(data):
    with pytest.raises(InputError) as caught:
        fit(data, Window(8_192, "the server"))
    assert "--split" not in str(caught.value)
    assert "--only-fitting" not in str(caught.value)
    assert "--max-tokens" not in str(caught.value)


def test_room_for_a_shorter_output_is_named(data):
    with pytest.raises(InputError, match=r"--max-tokens 8863 or fewer"):
        fit(data, Window(139_999, "the server"))


def test_only_fitting_leaves_rows_out_and_counts_them(data):
    found = fit(data, Window(40_960, "the server"), only_fitting=True)
    assert found.excluded == {"lex-locate/128k": 3}
    assert found.notes == ("lex-locate/128k: 0 of 3 rows fit",)
    assert set(found.examples["split"].to_pylist()) == {"4k", "16k"}


def test_only_fitting_with_no_row_left_is_refused(data):
    with pytest.raises(InputError, match="no row fits"):
        fit(data, Window(8_192, "the server"), only_fitting=True)


def test_a_server_that_does_not_tell_is_named_and_the_run_goes_on(data):
    found = fit(data, Window(None, "the server"))
    assert len(found.examples) == 9
    assert "does not tell" in found.notes[0]


def test_a_model_without_a_limit_needs_no_note(data):
    assert fit(data, Window(None, "a reference model")).notes == ()


def test_the_models_own_count_is_what_counts(data):
    with pytest.raises(
        InputError, match=r"needs 50,010 tokens \(50,000 of prompt in the model's chat template, 10 for"
    ):
        fit(data, Window(50_009, "the server", count=lambda prompt: 50_000), reserve=10)
    assert fit(data, Window(50_010, "the server", count=lambda prompt: 50_000), reserve=10).excluded == {}


def test_only_fitting_counts_every_row_that_could_be_too_long(data):
    counted = []

    def count(prompt):
        counted.append(prompt)
        return 200_000 if "128k" in prompt else 20_000

    found = fit(data, Window(40_960, "the server", count), only_fitting=True)
    assert found.excluded == {"lex-locate/128k": 3}
    assert len(counted) == 6


@pytest.mark.parametrize(("tokens", "split"), [(4_095, None), (4_096, "4k"), (131_071, "16k"), (10**6, "128k")])
def test_the_largest_split_that_fits(tokens, split):
    assert largest_split(("full", *SPLITS), tokens) == split
