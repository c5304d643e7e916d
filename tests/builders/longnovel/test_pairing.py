from collections import Counter

from lengthwise.builders.longnovel.pairing import NO_PAIR, pair_labels

from .conftest import Made


def test_a_pair_has_one_row_of_each_class(made: Made) -> None:
    labels = made.labels
    pairs = pair_labels(labels)
    classes: dict[str, list[bool]] = {}
    for label in labels:
        if pairs[label.id].id:
            classes.setdefault(pairs[label.id].id, []).append(label.hallucinated)
    assert classes and all(sorted(two) == [False, True] for two in classes.values())


def test_an_injected_summary_pairs_with_its_reference_and_two_candidates_with_each_other(made: Made) -> None:
    labels = [label for label in made.labels if label.key == made.windows[0].key]
    pairs = pair_labels(labels)
    kinds = Counter((label.origin, pairs[label.id].kind) for label in labels)
    assert kinds == {("original", "minimal"): 1, ("erhg", "minimal"): 1, ("mma", "window"): 2, ("mma", ""): 1}


def test_without_its_partner_a_row_has_no_pair(made: Made) -> None:
    alone = [label for label in made.labels if label.origin == "erhg"]
    assert set(pair_labels(alone).values()) == {NO_PAIR}
