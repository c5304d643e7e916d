"""What the tests' Hub holds: repositories of commits, each a map from paths to content, and large files by SHA-256."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

LARGE = (".parquet",)


@dataclass(frozen=True)
class File:
    """A file of a commit."""

    content: bytes
    large: bool
    xet: str = ""
    """Hash of a file whose content is in the xet store, and not here."""
    sha256: str = ""
    size: int = 0

    @classmethod
    def of(cls, content: bytes, large: bool) -> "File":
        return cls(content, large, sha256=hashlib.sha256(content).hexdigest(), size=len(content))

    @property
    def oid(self) -> str:
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n"
        content = pointer.encode() if self.large else self.content
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.large else self.oid

    def entry(self, path: str) -> dict[str, Any]:
        lfs = {"lfs": {"oid": self.sha256, "size": self.size, "pointerSize": 134}} if self.large else {}
        xet = {"xetHash": self.xet} if self.xet else {}
        return {"type": "file", "path": path, "oid": self.oid, "size": self.size, **lfs, **xet}


@dataclass
class Repository:
    """A repository; its refs name commits."""

    private: bool = False
    commits: dict[str, dict[str, File]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    pulls: int = 0

    def commit(self, ref: str, files: dict[str, File], parent: str = "") -> str:
        listed = sorted((path, file.oid) for path, file in files.items())
        name = hashlib.sha1(json.dumps([parent, len(self.commits), listed]).encode()).hexdigest()
        self.commits[name] = files
        self.refs[ref] = name
        return name

    def resolve(self, revision: str) -> str | None:
        """Return the commit of a branch, a tag, a pull request or a commit."""
        if revision in self.commits:
            return revision
        return next((self.refs[ref] for ref in (revision, f"refs/heads/{revision}") if ref in self.refs), None)

    def files(self, revision: str = "main") -> dict[str, File]:
        commit = self.resolve(revision)
        assert commit is not None, revision
        return self.commits[commit]


def new_repository(private: bool) -> Repository:
    repository = Repository(private)
    attributes = File.of(b"*.parquet filter=lfs diff=lfs merge=lfs -text\n", large=False)
    repository.commit("main", {".gitattributes": attributes})
    return repository
