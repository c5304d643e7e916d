from typing import Any

import pytest

from lengthwise.builders.longnovel.sources.squality import story_unit
from lengthwise.errors import InputError


def row(**changed: Any) -> dict[str, Any]:
    def responses(*texts: str) -> list[dict[str, str]]:
        return [{"worker_id": "2", "uid": "0c27", "response_text": text} for text in texts]

    return {
        "metadata": {"passage_id": "61263", "uid": "3ca1", "license": "Gutenberg"},
        "document": "\n\nA STORY\n\nIt was late.\n",
        "questions": [
            {
                "question_text": "What is the plot?",
                "question_number": 1,
                "responses": responses("Late.", "It is late. "),
            },
            {
                "question_text": "Who is it?",
                "question_number": 2,
                "responses": responses("It is nobody in particular."),
            },
        ],
        **changed,
    }


def test_a_story_takes_the_longest_summary_of_its_plot() -> None:
    unit = story_unit(row(), "line 1", "squality_train_anthology", 3)
    assert (unit.title, unit.index, unit.text) == ("Story 61263", 3, "A STORY\n\nIt was late.")
    assert (unit.summary, unit.summary_origin) == ("It is late.", "human:squality")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"document": None}, "line 1: no row of SQuALITY"),
        ({"metadata": {}}, "'passage_id'"),
        ({"questions": []}, "question 1, on the plot, has no response"),
    ],
)
def test_rows_that_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        story_unit(row(**changed), "line 1", "b", 1)
