"""Files onto the Hugging Face Hub by its own client: only what changed is sent, and what was sent is not sent twice.

A folder goes up in one commit or several. One that was broken off goes on when the command is given again: the Hub
keeps finished files, and those of earlier commits are found unchanged. A tag is set last, so a tagged revision is
whole.
"""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lengthwise.errors import InputError
from lengthwise.hub_errors import in_words

Kind: TypeAlias = Literal["dataset", "space", "model"]
# Path in the repository -> a file on this machine, or the text itself.
Files: TypeAlias = Mapping[str, Path | str]

_REPO = re.compile(r"[\w][\w.-]*/[\w][\w.-]*\Z", re.ASCII)
_PULL = "refs/pr/"


@dataclass(frozen=True)
class Target:
    """Where files go.

    Attributes:
        repo: `ORG/NAME`.
        kind: of the repository.
        revision: a branch, made if it is missing, or `refs/pr/N` to go on with a pull request; None for main.
        pull_request: leave the branch alone, and open a pull request.
        private: of a repository that is made; one that is there stays as it is.
        make: a repository that is not there; else that is an error.
    """

    repo: str
    kind: Kind
    revision: str | None = None
    pull_request: bool = False
    private: bool = False
    make: bool = True

    def __post_init__(self) -> None:
        if not _REPO.match(self.repo):
            raise InputError(f"{self.repo!r} is no Hub id: give ORG/NAME, of letters, digits, '-', '_' and '.'")
        if self.pull_request and self.revision is not None:
            raise InputError(
                "--pull-request, --revision: a new pull request is always against main; give one of them (to go on "
                "with an open one, --revision refs/pr/N)"
            )


@dataclass(frozen=True)
class Pushed:
    """What a push did.

    Attributes:
        url: of the repository.
        commit: that holds the files now.
        sent: paths of new and changed files.
        removed: paths of files that were there before and are no part of it any more.
        unchanged: number of files that were there already.
        created: whether the repository was made.
        pull_request: address of the one that was opened.
        tag: that names this commit, or an earlier one with the same content.
    """

    url: str
    commit: str
    sent: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    created: bool = False
    pull_request: str | None = None
    tag: str | None = None


def push_files(
    files: Files, target: Target, *, message: str, stale: Callable[[str], bool], tag: str | None = None
) -> Pushed:
    """Make a repository hold `files`; what else is in it stays, unless `stale` says otherwise.

    Args:
        files: by their paths in the repository.
        target: which repository.
        message: of the commit.
        stale: whether a file of the repository that is not among `files` is one of an earlier push, to be removed.
        tag: set on the commit in the end, where there is no such tag yet; none on a pull request or a branch.

    Raises:
        InputError: no token, no such repository or no right to it, the Hub's limits, no network: each in words.
    """
    import huggingface_hub

    api = huggingface_hub.HfApi()
    with in_words(target.repo, target.kind):
        created = _make_ready(api, target)
        there = _tree(api, target)
        sent = tuple(path for path, content in files.items() if not _same(content, there.get(path)))
        removed = tuple(path for path in there if path not in files and stale(path))
        info = api.repo_info(target.repo, repo_type=target.kind, revision=target.revision)
        commit, opened = str(info.sha), None
        if sent or removed:
            commit, opened = _upload(api, {path: files[path] for path in sent}, removed, target, message)
        if target.pull_request or target.revision is not None:
            tag = None
        if tag is not None:
            api.create_tag(target.repo, tag=tag, revision=commit, repo_type=target.kind, exist_ok=True)
    return Pushed(
        url=address(target),
        commit=commit,
        sent=sent,
        removed=removed,
        unchanged=len(files) - len(sent),
        created=created,
        pull_request=opened,
        tag=tag,
    )


def address(target: Target) -> str:
    """Return the address of a repository's page."""
    from huggingface_hub import HfApi

    return f"{HfApi().endpoint}/{'' if target.kind == 'model' else target.kind + 's/'}{target.repo}"


def read_pushed(target: Target, path: str) -> str | None:
    """Return a text file of a repository as it stands; None where there is no such file, branch or repository.

    Args:
        target: which repository.
        path: of the file.

    Raises:
        InputError: see `push_files`.
    """
    import huggingface_hub
    from huggingface_hub.errors import (
        EntryNotFoundError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    _check_token()
    with in_words(target.repo, target.kind), tempfile.TemporaryDirectory(prefix="lengthwise-push-") as name:
        try:
            file = huggingface_hub.HfApi().hf_hub_download(
                target.repo, path, repo_type=target.kind, revision=target.revision, local_dir=name
            )
        except LocalEntryNotFoundError as error:  # it is an EntryNotFoundError, but of the network
            raise ConnectionError(str(error)) from error
        except (EntryNotFoundError, RepositoryNotFoundError, RevisionNotFoundError):
            return None
        return Path(file).read_text("utf-8")


def _check_token() -> None:
    from huggingface_hub import get_token

    if get_token() is None:
        raise InputError("no token for the Hub: run `hf auth login`, or put one with write access into HF_TOKEN")


def _make_ready(api: Any, target: Target) -> bool:
    """Make the repository and the branch where they are missing; return whether the repository was."""
    from huggingface_hub.errors import RepositoryNotFoundError

    _check_token()
    created = False
    try:
        info = api.repo_info(target.repo, repo_type=target.kind)
        if target.private and not info.private:
            raise InputError(
                f"--private: {target.repo} is there already, and public; make it private in its settings first"
            )
    except RepositoryNotFoundError:
        if not target.make or target.pull_request or (target.revision or "").startswith(_PULL):
            raise
        sdk = {"space_sdk": "gradio"} if target.kind == "space" else {}
        api.create_repo(target.repo, repo_type=target.kind, private=target.private, exist_ok=True, **sdk)
        created = True
    if target.revision is not None and not target.revision.startswith(_PULL):
        api.create_branch(target.repo, repo_type=target.kind, branch=target.revision, exist_ok=True)
    return created


def _tree(api: Any, target: Target) -> dict[str, Any]:
    """Return what the Hub says of each file that it holds."""
    entries = api.list_repo_tree(target.repo, repo_type=target.kind, revision=target.revision, recursive=True)
    return {entry.path: entry for entry in entries if hasattr(entry, "blob_id")}


def _same(content: Path | str, there: Any) -> bool:
    """Return whether the Hub's file is this one, by size and then by hash: git's, or SHA-256 for large files."""
    if there is None:
        return False
    size = content.stat().st_size if isinstance(content, Path) else len(content.encode())
    if size != there.size:
        return False
    hashed = hashlib.sha256() if there.lfs else hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    for block in _blocks(content):
        hashed.update(block)
    return bool(hashed.hexdigest() == (there.lfs["sha256"] if there.lfs else there.blob_id))


def _blocks(content: Path | str) -> Iterable[bytes]:
    if isinstance(content, str):
        yield content.encode()
        return
    with content.open("rb") as file:
        while block := file.read(1 << 20):
            yield block


def _upload(api: Any, files: Files, removed: tuple[str, ...], target: Target, message: str) -> tuple[str, str | None]:
    """Send the files; return the last commit and the address of the pull request, if one was opened."""
    # A folder of nothing but these: the client's patterns need no care, and what is generated need not be written
    # into the caller's folder.
    with tempfile.TemporaryDirectory(prefix="lengthwise-push-") as name:
        for path, content in files.items():
            place = Path(name, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                place.write_bytes(content.encode())
            else:
                _link(content, place)
        info = api.upload_folder(
            folder_path=name,
            repo_id=target.repo,
            repo_type=target.kind,
            revision=target.revision,
            create_pr=target.pull_request,
            commit_message=message,
            delete_patterns=[_literal(path) for path in removed] or None,
        )
    return str(info.oid), info.pr_url


def _link(file: Path, place: Path) -> None:
    try:
        place.symlink_to(file.resolve())
    except OSError:  # where links need a right of their own
        shutil.copyfile(file, place)


def _literal(path: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", path)
