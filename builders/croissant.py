"""`croissant.json`: a data set's files and columns in MLCommons' Croissant format, as its card describes them."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

# A column as the card describes it.
Feature: TypeAlias = Mapping[str, Any]

_BIBTEX = re.compile(r"```bibtex\n(.*?)```", re.DOTALL)
CROISSANT_FILE = "croissant.json"
# Of a data set on the Hub, whose repository is no single file: what the Hub's own metadata say in its place.
_NO_SHA256 = "https://github.com/mlcommons/croissant/issues/80"
_CONFORMS = "http://mlcommons.org/croissant/1.1"
_TEXT, _INTEGER = "sc:Text", "cr:Int64"
_TYPES = {
    "bool": "sc:Boolean",
    "float32": "cr:Float32",
    "float64": "cr:Float64",
    "int32": "cr:Int32",
    "int64": _INTEGER,
    "string": _TEXT,
    "large_string": _TEXT,
}
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "containedIn": "cr:containedIn",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(folder: Path, build: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Return the metadata of a build: a record set for each config, over its Parquet files.

    A column that holds a list of structures (the injections of LongNovel, the predicates of PredicateLongBench) is an
    array with a subfield for each member; a column of classes is numbers, their names in its description. Each record
    has its split beside its columns.

    Args:
        folder: of the build; its card is read.
        build: contents of `build.json`.
        url: of the repository.
    """
    _, front_text, body = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    front = yaml.safe_load(front_text)
    cite = {"citeAs": found[1].strip()} if (found := _BIBTEX.search(body)) else {}
    features = {one["config_name"]: one["features"] for one in front["dataset_info"]}
    files = {one["config_name"]: [entry["path"] for entry in one["data_files"]] for one in front["configs"]}
    splits = {one["config_name"]: [entry["split"] for entry in one["data_files"]] for one in front["configs"]}
    sets = {config: f"parquet-files-for-{config}" for config in files}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS,
        "name": url.rpartition("/")[2],
        "description": f"{front['pretty_name']}, version {build['version']}, content digest {build['digest']}.",
        "url": url,
        "license": front["license"],
        **cite,
        "version": f"{build['version']}.0.0",
        "keywords": front.get("tags", []),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "repo",
                "name": "repo",
                "description": "The git repository.",
                "contentUrl": url,
                "encodingFormat": "git+https",
                "sha256": _NO_SHA256,
            },
            *(
                {
                    "@type": "cr:FileSet",
                    "@id": sets[config],
                    "containedIn": {"@id": "repo"},
                    "encodingFormat": "application/x-parquet",
                    "includes": paths if len(paths) > 1 else paths[0],
                }
                for config, paths in files.items()
            ),
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": config,
                "name": config,
                "description": next(one["description"] for one in front["configs"] if one["config_name"] == config),
                "field": list(_fields(config, features[config], sets[config], splits[config])),
            }
            for config in files
        ],
    }


def croissant_text(folder: Path, build: Mapping[str, Any], url: str) -> str:
    """Return the contents of `croissant.json`; see `croissant`."""
    return json.dumps(croissant(folder, build, url), indent=1, ensure_ascii=False) + "\n"


def _fields(config: str, features: list[Feature], files: str, splits: Collection[str]) -> Iterator[dict[str, Any]]:
    # Which split a row is of stands nowhere but in the name of its file.
    names = "|".join(re.escape(name) for name in sorted(splits, key=len, reverse=True))
    where = {"extract": {"fileProperty": "fullpath"}, "transform": {"regex": rf"^.*/({names})-[^/]*\.parquet$"}}
    yield _field(f"{config}/split", "split", _TEXT, {"fileSet": {"@id": files}, **where})
    for feature in features:
        name = feature["name"]
        source = {"fileSet": {"@id": files}, "extract": {"column": name}}
        yield _described(f"{config}/{name}", feature, source)


def _described(uid: str, feature: Feature, source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field of a column, or of a member of a structure, which is found in its column by name."""
    kind, depth = _kind(feature)
    array = {"isArray": True, "arrayShape": ",".join(["-1"] * depth)} if depth else {}
    if isinstance(kind, list):
        members = [
            _described(f"{uid}/{one['name']}", one, {**source, "transform": {"jsonPath": one["name"]}}) for one in kind
        ]
        return {"@type": "cr:Field", "@id": uid, "name": feature["name"], **array, "subField": members}
    classes = kind.get("class_label", {}).get("names", {}) if isinstance(kind, dict) else {}
    named = {"description": ", ".join(f"{number}: {name}" for number, name in classes.items())} if classes else {}
    type_ = _INTEGER if classes else _TYPES[str(kind)]
    return _field(uid, feature["name"], type_, source) | array | named


def _field(uid: str, name: str, kind: str, source: Mapping[str, Any]) -> dict[str, Any]:
    return {"@type": "cr:Field", "@id": uid, "name": name, "dataType": kind, "source": dict(source)}


def _kind(feature: Feature) -> tuple[Any, int]:
    """Return what a feature holds (type, class label, features of a structure), and within how many lists.

    >>> _kind({"name": "answers", "list": {"list": "string"}})
    ('string', 2)
    """
    if "list" not in feature:
        return feature.get("dtype", feature.get("struct")), 0
    inner = feature["list"]
    if isinstance(inner, dict) and "list" in inner:
        kind, depth = _kind(inner)
        return kind, depth + 1
    return inner, 1
