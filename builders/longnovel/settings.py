"""All that a build of LongNovel can be told, checked where it is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lengthwise.errors import InputError

from .records import PAPER_SCALES, scale_tokens
from .requests import Request
from .splits import PAPER_SHARES, Split

BENCHMARK = "longnovel"
# Version of the construction: raised when the same sources and replies give other rows.
VERSION = 1


@dataclass(frozen=True)
class NovelSettings:
    """Parameters of a build; the defaults are the paper's.

    Attributes:
        scales: names, each once.
        tokenizer: see `lengthwise.builders.tokens.load_tokenizer`; it measures units and windows.
        shares: of books in the splits, where the source has no split of its own.
        seed: of the draws of books and rows.
        requests: how many rows of which kind; none keeps all there are.
        fewer: take what there is where the summaries do not suffice for the requests.

    Raises:
        InputError: a value cannot be used; the message says which and why.
    """

    scales: tuple[str, ...] = tuple(PAPER_SCALES)
    tokenizer: str = "qwen3"
    shares: Mapping[Split, int] = field(default_factory=lambda: dict(PAPER_SHARES))
    seed: int = 42
    requests: tuple[Request, ...] = ()
    fewer: bool = False

    def __post_init__(self) -> None:
        if not self.scales or len(set(self.scales)) != len(self.scales):
            raise InputError(f"scales must be at least one, each given once, not {', '.join(self.scales) or 'none'}")
        for scale in self.scales:
            scale_tokens(scale)
        if not 0 < self.seed < 1 << 63:
            raise InputError(f"seed must be between 1 and 2**63 - 1, not {self.seed}")
        names = [request.name for request in self.requests]
        double = {name for name in names if names.count(name) > 1}
        if double:
            raise InputError(f"requests: {', '.join(sorted(double))} is requested twice")
        other = {request.scale for request in self.requests} - set(self.scales)
        if other:
            raise InputError(f"requests: the scale {', '.join(sorted(other))} is not built; name it, or leave it out")
        unasked = [scale for scale in self.scales if scale not in {request.scale for request in self.requests}]
        if self.requests and unasked:
            raise InputError(
                f"requests: none is of {', '.join(unasked)}; request rows of it, or build the others alone in another "
                "folder (with --records, nobody is asked again)"
            )
