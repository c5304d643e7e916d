"""The public data sets behind the paper's pools: where each task's rows are, and what makes a row an instance.

What is known of the authors' own choice was found by matching their released pools with these sources. Their samples
are not published for every task, so that a pool of the same size is drawn here, as the rows come, without balancing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lengthwise.builders.hub_files import PARQUET_BRANCH, HubCopy, Row

from .pool import Instance


@dataclass(frozen=True, slots=True)
class HubSource:
    """Where the pool of one task comes from.

    Attributes:
        task: key of `KNOWN_TASKS`.
        copies: tried in order; the first that can be read gives all rows.
        instances: rows -> instances; leaves out the rows that the task has no use for.
        licence: of the text.
        redistributable: whether a data set that holds the text may be passed on.
        size: instances of the paper's pool (4.3).
    """

    task: str
    copies: tuple[HubCopy, ...]
    instances: Callable[[Iterable[Row]], Iterator[Instance]]
    licence: str
    redistributable: bool
    size: int = 2500


def one_line(text: str) -> str:
    r"""Return a text as one line.

    >>> one_line(" two\nlines ")
    'two lines'
    """
    return " ".join(text.splitlines()).strip()


def category_instances(rows: Iterable[Row]) -> Iterator[Instance]:
    """Take articles with their category by name: the numbers of this copy are not those of the authors.

    >>> list(category_instances([{"text": "shares fell", "label": 1, "label_text": "business"}]))
    [Instance(text='shares fell', label='business')]
    """
    for row in rows:
        yield Instance(one_line(row["text"]), row["label_text"])


_LANGUAGES = MappingProxyType({"eng": "english", "zho": "chinese", "fas": "persian", "spa": "spanish"})


def language_instances(rows: Iterable[Row]) -> Iterator[Instance]:
    """Take the paragraphs of the paper's four languages among 235.

    >>> rows = [{"sentence": "hola", "label": "spa"}, {"sentence": "bonjour", "label": "fra"}]
    >>> list(language_instances(rows))
    [Instance(text='hola', label='spanish')]
    """
    for row in rows:
        if row["label"] in _LANGUAGES:
            yield Instance(one_line(row["sentence"]), _LANGUAGES[row["label"]])


# Some copies keep tags by number; the order is that of Universal NER and of WikiANN.
_TAGS = ("O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC")
# Tokens of the shortest sentence in the authors' pool.
_LEAST_TOKENS = 6


def persons(tokens: Iterable[str], tags: Iterable[str | int]) -> list[str]:
    """Return the mentions of persons, lower-cased; as many as there are B-PER tags.

    >>> persons(["Ann", "Lee", "met", "Bo"], [1, 2, 0, "B-PER"])
    ['ann lee', 'bo']
    """
    found: list[list[str]] = []
    inside = False
    for token, tag in zip(tokens, tags, strict=True):
        name = _TAGS[tag] if isinstance(tag, int) else tag
        if name == "B-PER":
            found.append([token])
        elif name == "I-PER" and inside:
            found[-1].append(token)
        inside = name == "B-PER" or (name == "I-PER" and inside)
    return [" ".join(tokens).lower() for tokens in found]


def ner_instances(rows: Iterable[Row]) -> Iterator[Instance]:
    """Take sentences of six tokens and more, tokens joined and lower-cased, with the persons that they mention.

    >>> list(ner_instances([{"tokens": "Ann likes it a lot .".split(), "ner_tags": [1, 0, 0, 0, 0, 0]}]))
    [Instance(text='ann likes it a lot .', label='["ann"]')]
    """
    for row in rows:
        tokens = row["tokens"]
        if len(tokens) >= _LEAST_TOKENS:
            label = json.dumps(persons(tokens, row["ner_tags"]), ensure_ascii=False)
            yield Instance(one_line(" ".join(tokens).lower()), label)


def sentiment_instances(rows: Iterable[Row]) -> Iterator[Instance]:
    """Take the snippets with the most positive (4) and the most negative (0) label of five.

    >>> list(sentiment_instances([{"text": "a gem .", "label": 4}, {"text": "it is a film .", "label": 2}]))
    [Instance(text='a gem .', label='positive')]
    """
    verdicts = {4: "positive", 0: "negative"}
    for row in rows:
        if row["label"] in verdicts:
            yield Instance(one_line(row["text"]), verdicts[row["label"]])


def word_instances(rows: Iterable[Row]) -> Iterator[Instance]:
    """Take tweets with how often they hold "women", in any case and inside of any word.

    >>> list(word_instances([{"text": "Women's rights are #WOMENsRights", "label": 0}]))
    [Instance(text="Women's rights are #WOMENsRights", label='2')]
    """
    for row in rows:
        yield Instance(one_line(row["text"]), str(row["text"].lower().count("women")))


def wsd_instances(rows: Iterable[Row]) -> Iterator[Instance]:
    r"""Take sentences of CoarseWSD-20 for "apple"; the place of the word that stands before each is dropped.

    >>> list(wsd_instances([{"data": "1\tan apple a day", "gold": "1"}]))
    [Instance(text='an apple a day', label='fruit')]
    """
    senses = {"0": "company", "1": "fruit"}
    for row in rows:
        yield Instance(one_line(row["data"].partition("\t")[2]), senses[row["gold"].strip()])


def probing_instances(classes: Mapping[str, str]) -> Callable[[Iterable[Row]], Iterator[Instance]]:
    """Return what makes instances of SentEval's rows.

    Args:
        classes: label there -> class name here; rows with other labels are left out.

    >>> rows = [{"sentence": "He the met man .", "label": "I"}]
    >>> list(probing_instances({"I": "shifted", "O": "original"})(rows))
    [Instance(text='He the met man .', label='shifted')]
    """

    def instances(rows: Iterable[Row]) -> Iterator[Instance]:
        for row in rows:
            if row["label"] in classes:
                yield Instance(one_line(row["sentence"]), classes[row["label"]])

    return instances


_UNER_FILES = ("en_ewt/validation*.parquet", "en_ewt/test*.parquet")
# Sources for named entity recognition, by the name that `--ner-source` takes. The paper names WikiANN (A.4), but the
# authors' 2,500 sentences are all from Universal NER's development and test parts.
NER_SOURCES: Mapping[str, HubSource] = MappingProxyType(
    {
        "universal-ner": HubSource(
            "ner",
            (
                HubCopy("universalner/universal_ner", _UNER_FILES, PARQUET_BRANCH),
                HubCopy("BramVanroy/universal_ner", _UNER_FILES),
            ),
            ner_instances,
            "CC BY-SA 4.0 (Universal NER English-EWT)",
            True,
        ),
        "wikiann": HubSource(
            "ner",
            (HubCopy("unimelb-nlp/wikiann", ("en/train*.parquet", "en/validation*.parquet", "en/test*.parquet")),),
            ner_instances,
            "not stated (WikiANN)",
            False,
        ),
    }
)


def _probing(task: str, config: str, classes: Mapping[str, str]) -> HubSource:
    """Return a source among SentEval's probing tasks."""
    repo, files = "tasksource/linguisticprobing", (f"{config}/test*.parquet",)
    copies = (HubCopy(repo, files, PARQUET_BRANCH), HubCopy(repo, files))
    return HubSource(task, copies, probing_instances(classes), "not stated (SentEval)", False)


_STANCES = ("abortion", "atheism", "climate", "feminist", "hillary")
HUB_SOURCES: Mapping[str, HubSource] = MappingProxyType(
    {
        source.task: source
        for source in (
            HubSource(
                "category",
                (HubCopy("SetFit/bbc-news", ("train.jsonl", "test.jsonl")),),
                category_instances,
                "non-commercial research only (BBC News)",
                False,
                250,
            ),
            HubSource(
                "language",
                (
                    HubCopy(
                        "MartinThoma/wili_2018",
                        ("WiLI-2018 dataset/*train/*.parquet", "WiLI-2018 dataset/*test/*.parquet"),
                        PARQUET_BRANCH,
                    ),
                ),
                language_instances,
                "ODbL 1.0, CC BY-SA (WiLI-2018)",
                True,
            ),
            NER_SOURCES["universal-ner"],
            HubSource(
                "sentiment",
                (HubCopy("SetFit/sst5", ("train.jsonl", "dev.jsonl", "test.jsonl")),),
                sentiment_instances,
                "none stated (Stanford Sentiment Treebank)",
                False,
            ),
            HubSource(
                "word",
                (HubCopy("cardiffnlp/tweet_eval", tuple(f"stance_{topic}/train*.parquet" for topic in _STANCES)),),
                word_instances,
                "Twitter terms (TweetEval)",
                False,
            ),
            # Only ever asked alone (A.9).
            _probing("bshift", "bigram_shift", {"O": "original", "I": "shifted"}),
            _probing("subjnum", "subj_number", {"NN": "singular", "NNS": "plural"}),
        )
    }
)


def distinct_instances(instances: Iterable[Instance]) -> list[Instance]:
    """Return the instances without those that are empty or whose text came before."""
    seen: set[str] = set()
    kept = []
    for one in instances:
        if one.text and one.text not in seen:
            seen.add(one.text)
            kept.append(one)
    return kept
