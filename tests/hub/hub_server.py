"""A Hub on this machine: the endpoints that huggingface_hub, datasets and evaluate call, with memory for a disk.

Anything else that is asked for goes into `unknown`, and every request into `requests`, so that a test can say what was
asked and that nothing was missing.
"""

import base64
import contextlib
import json
import re
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import replace
from http.server import ThreadingHTTPServer
from typing import TypeAlias

from .hub_store import LARGE, File, Repository, new_repository
from .hub_wire import Answer, Asked, Handler, as_json, refusal

TOKEN = "hf_of_the_tests"
KINDS = {"datasets": "dataset", "spaces": "space", "models": "model"}
_PREFIX = {"dataset": "datasets/", "space": "spaces/", "model": ""}


Fault: TypeAlias = Callable[[Asked], Answer | None]


class Hub:
    """The server; `with Hub() as hub` runs it on a free port.

    Attributes:
        repositories: (kind, id) -> repository.
        fault: a test's own answer to a request, or None for the usual one.
        xet: address of a xet store that clients are sent to, `local:///folder`; the usual large files without it.
        xet_hashes: SHA-256 -> hash and size of a file in that store.
    """

    def __init__(self, xet: str = "", xet_hashes: Callable[[], Mapping[str, tuple[str, int]]] | None = None) -> None:
        self.repositories: dict[tuple[str, str], Repository] = {}
        self.large: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.unknown: list[str] = []
        self.fault: Fault | None = None
        self.xet = xet
        self.xet_hashes = xet_hashes
        self.lock = threading.RLock()
        self.handler: type[Handler] = type(
            "OfThisHub", (Handler,), {"answer_to": staticmethod(self.answer), "connections": set()}
        )
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> "Hub":
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        # A client's pool would go on speaking with this Hub, if the next one got the same port.
        for connection in self.handler.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server.server_close()

    def answer(self, asked: Asked) -> Answer:
        with self.lock:
            self.requests.append(f"{asked.method} {asked.path}")
            found = self.fault(asked) if self.fault else None
            if found is None:
                found = self._general(asked) or self._large(asked) or self._resolve(asked) or self._api(asked)
            if found is None:
                self.unknown.append(f"{asked.method} {asked.path}")
                found = refusal(404, "NotFound", "no such page")
            return found

    def sent(self) -> list[str]:
        """Return the requests that change something."""
        return [
            one for one in self.requests if re.match(r"PUT|DELETE|POST .*/(commit|branch|tag|create|discussions)", one)
        ]

    def _general(self, asked: Asked) -> Answer | None:
        if asked.path == "/api/whoami-v2":
            return as_json({"type": "user", "name": "ORG", "orgs": [], "auth": {"type": "access_token"}})
        if asked.path == "/api/agent-harnesses":
            return as_json({})
        if asked.path == "/api/validate-yaml":
            return as_json({"errors": [], "warnings": []})
        if asked.path != "/api/repos/create":
            return None
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return refusal(401, "", "Invalid credentials in Authorization header")
        wanted = asked.json()
        kind, name = wanted.get("type") or "model", f"{wanted.get('organization') or 'ORG'}/{wanted['name']}"
        url = f"{self.url}/{_PREFIX[kind]}{name}"
        if (kind, name) in self.repositories:
            return as_json({"error": "You already created this repo", "url": url}, 409)
        private = bool(wanted.get("private")) or wanted.get("visibility") == "private"
        self.repositories[kind, name] = new_repository(private)
        return as_json({"url": url, "name": name, "id": name})

    def _large(self, asked: Asked) -> Answer | None:
        if asked.path.startswith("/large/") and asked.method == "PUT":
            file = File.of(asked.body, large=True)
            assert file.sha256 == asked.path.removeprefix("/large/")
            self.large[file.sha256] = asked.body
            return Answer(200)
        if not (found := re.fullmatch(r"/.+\.git/info/lfs/objects/(batch|verify)", asked.path)):
            return None
        if found[1] == "verify":
            return Answer(200 if asked.json()["oid"] in self.large else 404)
        objects = []
        for one in asked.json()["objects"]:
            upload = {"upload": {"href": f"{self.url}/large/{one['oid']}", "header": {}}}
            objects.append(one if one["oid"] in self.large else {**one, "actions": upload})
        return replace(as_json({"transfer": "basic", "objects": objects}), content_type="application/vnd.git-lfs+json")

    def _resolve(self, asked: Asked) -> Answer | None:
        found = re.fullmatch(r"/(?:(datasets|spaces)/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)", asked.path)
        if not found:
            return None
        repository = self.repositories.get((KINDS[found[1] or "models"], found[2]))
        if repository is None:
            return refusal(404, "RepoNotFound", "Repository not found")
        commit = repository.resolve(urllib.parse.unquote(found[3]))
        if commit is None:
            return refusal(404, "RevisionNotFound", f"Invalid rev id: {found[3]}")
        file = repository.commits[commit].get(urllib.parse.unquote(found[4]))
        if file is None:
            return refusal(404, "EntryNotFound", "Entry not found")
        headers = [("ETag", f'"{file.etag}"'), ("X-Repo-Commit", commit), ("Accept-Ranges", "bytes")]
        if file.large:
            headers += [("X-Linked-Etag", f'"{file.etag}"'), ("X-Linked-Size", str(file.size))]
        if file.xet:
            token = f"{self.url}/api/{found[1] or 'models'}/{found[2]}/xet-read-token/{commit}"
            headers += [("X-Xet-Hash", file.xet), ("Link", f'<{token}>; rel="xet-auth"')]
        content, status = file.content, 200
        if part := re.match(r"bytes=(\d+)-(\d*)$", asked.headers.get("range", "")):
            first, last = int(part[1]), min(int(part[2] or len(content) - 1), len(content) - 1)
            headers.append(("Content-Range", f"bytes {first}-{last}/{len(content)}"))
            content, status = content[first : last + 1], 206
        if asked.method == "HEAD":
            headers.append(("Content-Length", str(file.size)))
        return Answer(status, content, tuple(headers), "application/octet-stream")

    def _api(self, asked: Asked) -> Answer | None:
        found = re.fullmatch(
            r"/api/(datasets|spaces|models)/([^/]+/[^/]+)(?:/([^/]+)(?:/([^/]+)(?:/(.*))?)?)?", asked.path
        )
        if not found:
            return None
        repository = self.repositories.get((KINDS[found[1]], found[2]))
        if repository is None:
            return refusal(404, "RepoNotFound", "Repository not found")
        deed, name, rest = found[3], urllib.parse.unquote(found[4] or "main"), urllib.parse.unquote(found[5] or "")
        if deed in ("branch", "tag", "discussions", "commit") and asked.method == "POST":
            if asked.headers.get("authorization") != f"Bearer {TOKEN}":
                return refusal(403, "", "Forbidden: this token has no write access")
            if deed == "branch":
                return self._branch(repository, name, asked)
            if deed == "discussions":
                return self._pull(repository, found[2])
        if deed == "discussions":
            return self._pull_details(repository, name, found[2])
        commit = repository.resolve(name)
        if commit is None:
            return refusal(404, "RevisionNotFound", f"Invalid rev id: {name}")
        if deed == "tag":
            tag = asked.json()["tag"]
            if tag in repository.refs:
                return refusal(409, "", f"Tag reference exists already: {tag}")
            repository.refs[tag] = commit
            return as_json({})
        if deed in (None, "revision"):
            files = [{"rfilename": path} for path in sorted(repository.commits[commit])]
            about = {"_id": "0", "id": found[2], "sha": commit, "private": repository.private, "siblings": files}
            return as_json(
                {**about, "tags": [], "downloads": 0, "likes": 0, "cardData": {}, "disabled": False, "gated": False}
            )
        if deed == "tree":
            return _tree(
                repository.commits[commit], rest.strip("/"), asked.query.get("recursive", "").lower() == "true"
            )
        if deed == "paths-info":
            return _paths(repository.commits[commit], asked)
        if deed == "preupload":
            return self._modes(repository.commits[commit], asked)
        if deed == "commit":
            return self._commit(repository, name, commit, asked, f"{self.url}/{_PREFIX[KINDS[found[1]]]}{found[2]}")
        if deed in ("xet-write-token", "xet-read-token") and self.xet:
            until = int(time.time()) + 3600
            return as_json(
                {"accessToken": "of-xet", "casUrl": self.xet, "exp": until},
                X_Xet_Cas_Url=self.xet, X_Xet_Access_Token="of-xet", X_Xet_Token_Expiration=str(until),
            )  # fmt: skip
        if deed == "commits":
            listed = [
                {"id": one, "title": "", "message": "", "authors": [], "date": "2026-01-01T00:00:00.000Z"}
                for one in reversed(repository.commits)
            ]
            return as_json(listed)
        if deed == "refs":
            main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repository.refs["main"]}
            return as_json({"branches": [main], "tags": [], "converts": []})
        return None

    def _branch(self, repository: Repository, name: str, asked: Asked) -> Answer:
        if name in repository.refs:
            return refusal(409, "", f"Reference already exists: {name}")
        repository.refs[name] = repository.refs["main"]
        return as_json({})

    def _pull(self, repository: Repository, name: str) -> Answer:
        repository.pulls += 1
        repository.refs[f"refs/pr/{repository.pulls}"] = repository.refs["main"]
        return as_json({"num": repository.pulls, "url": f"{self.url}/{name}/discussions/{repository.pulls}"})

    def _pull_details(self, repository: Repository, number: str, name: str) -> Answer:
        return as_json(
            {
                "num": int(number), "title": "a pull request", "status": "draft", "isPullRequest": True,
                "createdAt": "2026-01-01T00:00:00.000Z", "author": {"name": "ORG"},
                "repo": {"name": name, "type": "dataset"},
                "events": [], "changes": {"base": "refs/heads/main", "mergeCommitId": None}, "filesWithConflicts": [],
            }
        )  # fmt: skip

    def _modes(self, files: Mapping[str, File], asked: Asked) -> Answer:
        listed = []
        for one in asked.json()["files"]:
            there = files.get(one["path"])
            mode = "lfs" if one["path"].endswith(LARGE) else "regular"
            oid = None if there is None else there.sha256 if there.large else there.oid
            listed.append({"path": one["path"], "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return as_json({"files": listed, "commitMessage": ""})

    def _commit(self, repository: Repository, ref: str, parent: str, asked: Asked, url: str) -> Answer:
        files = dict(repository.commits[parent])
        for line in asked.body.splitlines():
            deed = json.loads(line)
            value = deed["value"]
            if deed["key"] == "file":
                files[value["path"]] = File.of(base64.b64decode(value["content"]), large=False)
            elif deed["key"] == "lfsFile":
                files[value["path"]] = self._stored(value["oid"])
            elif deed["key"] == "deletedFile":
                files.pop(value["path"], None)
            elif deed["key"] == "deletedFolder":
                files = {
                    path: one for path, one in files.items() if not path.startswith(value["path"].rstrip("/") + "/")
                }
        opened = {}
        if asked.query.get("create_pr"):
            repository.pulls += 1
            ref = f"refs/pr/{repository.pulls}"
            opened = {"pullRequestUrl": f"{url}/discussions/{repository.pulls}"}
        commit = repository.commit(ref, files, parent)
        return as_json(
            {"success": True, "commitOid": commit, "commitUrl": f"{url}/commit/{commit}", "hookOutput": "", **opened}
        )

    def _stored(self, sha256: str) -> File:
        if sha256 in self.large:
            return File.of(self.large[sha256], large=True)
        assert self.xet_hashes is not None, "a large file was committed that was never sent"
        xet, size = self.xet_hashes()[sha256]
        return File(b"", large=True, xet=xet, sha256=sha256, size=size)


def _tree(files: Mapping[str, File], folder: str, recursive: bool) -> Answer:
    head = f"{folder}/" if folder else ""
    inside = {path.removeprefix(head): file for path, file in files.items() if path.startswith(head)}
    if folder and not inside:
        return refusal(404, "EntryNotFound", f"{folder} does not exist")
    folders = {path[: at.start()] for path in inside for at in re.finditer("/", path)}
    listed = [
        {"type": "directory", "oid": "0" * 40, "size": 0, "path": head + one}
        for one in sorted(folders)
        if recursive or "/" not in one
    ]
    listed += [file.entry(head + path) for path, file in sorted(inside.items()) if recursive or "/" not in path]
    return as_json(listed)


def _paths(files: Mapping[str, File], asked: Asked) -> Answer:
    if "json" in asked.headers.get("content-type", ""):
        wanted = asked.json()["paths"]
    else:
        wanted = urllib.parse.parse_qs(asked.body.decode()).get("paths", [])
    folders = {path.rpartition("/")[0] for path in files}
    listed = [files[path].entry(path) for path in wanted if path in files]
    listed += [{"type": "directory", "oid": "0" * 40, "size": 0, "path": path} for path in wanted if path in folders]
    return as_json(listed)
