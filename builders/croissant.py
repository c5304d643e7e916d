"""`croissant.json`: a data set's files and columns in MLCommons' Croissant format, as its card describes them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

CROISSANT_FILE = "croissant.json"
# Of a data set on the Hub, whose repository is no single file: what the Hub's own metadata say in its place.
_NO_SHA256 = "https://github.com/mlcommons/croissant/issues/80"
_CONFORMS = "http://mlcommons.org/croissant/1.1"
_TYPES = {"bool": "sc:Boolean", "float32": "cr:Float32", "float64": "cr:Float64", "int32": "cr:Int32"}
_PLAIN = {"int64": "cr:Int64", "string": "sc:Text", "large_string": "sc:Text", "int8": "cr:Int8", "int16": "cr:Int16"}
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

    Columns of structures (the injections of LongNovel, the predicates of PredicateLongBench) are left out: Croissant
    has no word for a list of them in a Parquet column.

    Args:
        folder: of the build; its card is read.
        build: contents of `build.json`.
        url: of the repository.
    """
    front = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1])
    features = {one["config_name"]: one["features"] for one in front["dataset_info"]}
    files = {one["config_name"]: [entry["path"] for entry in one["data_files"]] for one in front["configs"]}
    sets = {config: f"parquet-files-for-{config}" for config in files}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _CONFORMS,
        "name": url.rpartition("/")[2],
        "description": f"{front['pretty_name']}, version {build['version']}, content digest {build['digest']}.",
        "url": url,
        "license": front["license"],
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
                "field": list(_fields(config, features[config], sets[config])),
            }
            for config in files
        ],
    }


def croissant_text(folder: Path, build: Mapping[str, Any], url: str) -> str:
    """Return the contents of `croissant.json`; see `croissant`."""
    return json.dumps(croissant(folder, build, url), indent=1, ensure_ascii=False) + "\n"


def _fields(config: str, features: list[dict[str, Any]], files: str) -> Iterator[dict[str, Any]]:
    types = _TYPES | _PLAIN
    for feature in features:
        name, listed = feature["name"], feature.get("list")
        label = isinstance(feature.get("dtype"), dict)  # a class label
        kind = "cr:Int64" if label else types.get(str(listed or feature.get("dtype")))
        if kind is None:
            continue
        array = {"isArray": True, "arrayShape": "-1"} if listed else {}
        yield {
            "@type": "cr:Field",
            "@id": f"{config}/{name}",
            "name": name,
            "dataType": kind,
            **array,
            "source": {"fileSet": {"@id": files}, "extract": {"column": name}},
        }
