"""Data sets from the Hugging Face Hub: only the files of the wanted cells, into the Hub's own cache."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from lengthwise.errors import InputError


def fetch_build(source: str) -> tuple[Path, str]:
    """Fetch the build.json of a data set.

    Args:
        source: `ORG/NAME` or `ORG/NAME@REVISION`.

    Returns:
        The folder of the snapshot, and the commit that it is.

    Raises:
        InputError: no such data set, no network, or no access; the message says that a Hub id was assumed.
    """
    import huggingface_hub

    repo, _, revision = source.partition("@")
    with _one_line(source):
        file = huggingface_hub.hf_hub_download(repo, "build.json", repo_type="dataset", revision=revision or None)
    # The cache keeps every revision in snapshots/COMMIT.
    folder = Path(file).parent
    return folder, folder.name


def fetch_cells(source: str, revision: str, files: Sequence[str]) -> None:
    """Fetch the Parquet files that patterns name (`config/split-*.parquet`) at a commit that `fetch_build` returned.

    Prompts of the data's own lie beside them in `prompts`, a few small files, and are fetched as well.

    Raises:
        InputError: see `fetch_build`.
    """
    import huggingface_hub

    patterns = [*files, "prompts/*.txt"]
    with _one_line(source):
        huggingface_hub.snapshot_download(
            source.partition("@")[0], repo_type="dataset", revision=revision, allow_patterns=patterns
        )


@contextmanager
def _one_line(source: str) -> Iterator[None]:
    """Turn what the Hub's client raises into one clear line."""
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    assumed = f"data {source!r}: no such path, so taken as a Hub data set"
    fix = "for a folder, start the name with ./"
    try:
        yield
    except LocalEntryNotFoundError as error:
        raise InputError(f"{assumed}; the Hub cannot be reached and the cache does not hold it ({fix})") from error
    except EntryNotFoundError as error:
        raise InputError(f"{assumed}; it has no build.json, so `lengthwise build` did not make it ({fix})") from error
    except HFValidationError as error:
        raise InputError(f"{assumed}; that is not a Hub id, ORG/NAME ({fix})") from error
    except (HfHubHTTPError, OSError) as error:
        # The first line is enough; what follows is advice about tokens and a request id.
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"{assumed}; {reason} ({fix})") from error
