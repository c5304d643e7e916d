"""What must hold of every generated pool of sentences and paragraphs."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from lengthwise.builders.multi_instance.pools.generated import language, ner, wsd
from lengthwise.builders.multi_instance.pools.pool import Instance, Pool
from lengthwise.errors import InputError

GENERATORS: dict[str, Callable[[int, int], list[Instance]]] = {
    "language": language.generate,
    "ner": ner.generate,
    "wsd": wsd.generate,
}
# Of the first 200 with seed 42: other wording or other draws change every build, so such a change must be meant (and
# raise grammar.POOL_VERSION once a version is out).
DIGESTS = {
    "language": "eb795ec00b0654ebd838740c523d41ac657fd6f8ffcd1c1722a6b0ff901c7d06",
    "ner": "3b243297a1c062d053240a192562543826652c0f0ec04a52fe3c75634eff7a87",
    "wsd": "a6ddc703c98c9bce4bbc02cc0acd4f241aec39a28a8b7528d8f29c29887b286b",
}
# Words that any text may be full of: the senses and persons are told by all the others.
STOP = frozenset(
    """the a an of and in to is was it that for on with as by at from be are this which or has have had were not but
    its his her their they he she i you we my . , ; : ! ? ... !! " ( ) -- 's n't""".split()  # noqa: SIM905
)


@pytest.fixture(scope="module", params=GENERATORS)
def task(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def pools() -> dict[str, list[Instance]]:
    return {name: generate(5000, 42) for name, generate in GENERATORS.items()}


def kinds(task: str, instances: list[Instance]) -> dict[str, list[str]]:
    """Texts by label; for ner by whether a person is mentioned."""
    found: dict[str, list[str]] = {}
    for one in instances:
        kind = str(one.label != "[]") if task == "ner" else one.label
        found.setdefault(kind, []).append(one.text)
    return found


def tokens(text: str) -> list[str]:
    """Words; of Chinese text its characters, two by two."""
    if "\u4e00" <= text[len(text) // 2] <= "\u9fff" or "。" in text:
        return [text[at : at + 2] for at in range(0, len(text), 2)]
    return text.split()


def runs(text: str, size: int = 4) -> Iterator[tuple[str, ...]]:
    words = tokens(text)
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def distinct_share(texts: list[str]) -> float:
    """Different runs of four words among all of them."""
    found = [run for text in texts for run in runs(text)]
    return len(set(found)) / len(found)


def test_five_thousand_different_texts_make_a_pool(task: str, pools: dict[str, list[Instance]]) -> None:
    pool = Pool(task, "generated", "test", "test", True, pools[task])
    assert len({one.text for one in pool.instances}) == 5000


def test_a_longer_pool_begins_with_a_shorter_one(task: str, pools: dict[str, list[Instance]]) -> None:
    assert GENERATORS[task](300, 42) == pools[task][:300]


def test_another_seed_gives_another_pool(task: str, pools: dict[str, list[Instance]]) -> None:
    others = {one.text for one in GENERATORS[task](300, 43)}
    assert len(others & {one.text for one in pools[task]}) < 15


def test_texts_are_the_same_everywhere(task: str, pools: dict[str, list[Instance]]) -> None:
    lines = [json.dumps([one.text, one.label], ensure_ascii=False) for one in pools[task][:200]]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == DIGESTS[task]


def test_no_slot_and_no_mark_is_left(task: str, pools: dict[str, list[Instance]]) -> None:
    for one in pools[task]:
        assert not set(one.text) & set("{}[]|~_⟦⟧⟪⟫⟨⟩^#" if task != "ner" else "{}[]|~_⟦⟧⟪⟫⟨⟩^"), one.text
        assert "  " not in one.text and " ." not in one.text[-3:-1], one.text


def test_no_phrase_gives_a_label_away(task: str, pools: dict[str, list[Instance]]) -> None:
    for kind, texts in kinds(task, pools[task]).items():
        common = Counter(run for text in texts for run in set(runs(text)))
        run, count = common.most_common(1)[0]
        # Where the language itself is asked for, its words may give it away; still no sentence stands in every item.
        assert count <= (0.12 if task == "language" else 0.05) * len(texts), (kind, run)


@pytest.mark.parametrize("asked", ["ner", "wsd"])
def test_no_word_gives_a_label_away(asked: str, pools: dict[str, list[Instance]]) -> None:
    words = {
        kind: (len(texts), Counter(word for text in texts for word in set(text.split())))
        for kind, texts in kinds(asked, pools[asked]).items()
    }
    for kind, (size, here) in words.items():
        there = Counter[str]()
        for other, (_, counts) in words.items():
            there += counts if other != kind else Counter()
        for word, count in here.items():
            assert count <= 0.25 * size or word in there or word in STOP, (kind, word)


@pytest.mark.shared
@pytest.mark.parametrize(("asked", "least"), [("language", 0.5), ("ner", 0.6)])
def test_wording_varies_as_in_the_authors_pools(
    asked: str, least: float, pools: dict[str, list[Instance]], shared_dir, record_property: Callable[..., None]
) -> None:
    folder = shared_dir / "data" / "mip" / "pools" / asked
    texts = (folder / f"2500_{asked}_text.txt").read_text("utf-8").strip().split("\n")
    labels = (folder / f"2500_{asked}_label.txt").read_text("utf-8").strip().split("\n")
    if asked == "language":
        labels = [("english", "chinese", "persian", "spanish")[int(label)] for label in labels]
    else:
        labels = [json.dumps(json.loads(label)["PER"]) for label in labels]
    real = kinds(asked, list(map(Instance, texts, labels)))
    for kind, made in kinds(asked, pools[asked][:2500]).items():
        ours, theirs = distinct_share(made), distinct_share(real[kind])
        record_property(f"{asked} {kind}", f"{ours:.2f} of {theirs:.2f}")
        print(f"{asked} {kind}: {ours:.2f} of the runs of four words are different, the authors' {theirs:.2f}")
        assert ours >= least * theirs


def test_a_pool_that_is_too_large_is_refused_before_it_runs_forever() -> None:
    from lengthwise.builders.multi_instance.pools.generated.draws import distinct

    with pytest.raises(InputError, match="cannot make 2 different"):
        distinct("wsd", 2, 1, lambda draws: Instance("always the same apple", "fruit"))
