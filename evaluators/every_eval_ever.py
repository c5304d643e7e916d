"""A run's figures as a file of Every Eval Ever, the shared database of evaluation results (its schema 0.3.0)."""

import hashlib
import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lengthwise.builders.hub_folder import write_text
from lengthwise.errors import InputError

from .headlines import Headline, finished_results, headlines
from .results import CONFIDENCE, Results

SCHEMA_VERSION = "0.3.0"
_SELF = ("local", "vllm", "hf-local")
_AWAY = ("openai", "anthropic", "openrouter")
_DESCRIPTIONS = {
    "accuracy": "Share of right replies over all rows; replies that are none count as wrong.",
    "balanced_accuracy": "Mean of the recalls of hallucinated and faithful summaries; no score counts as wrong.",
}


def export_every_eval_ever(
    run: Path | str, out: Path | str, *, organization: str, relationship: str = "third_party", model: str | None = None
) -> Path:
    """Write a run's figures as `data/BENCHMARK/DEVELOPER/MODEL/UUID.json`; the same run gives the same file.

    Args:
        run: folder of a finished run.
        out: folder that `data` goes into.
        organization: who ran it.
        relationship: of that organization to the model: first_party, third_party, collaborative or other.
        model: `DEVELOPER/MODEL`; by default the name that was asked for, if it is of that form.

    Raises:
        InputError: the run may not be published (see `finished_results`), or nobody says who made the model.
    """
    known = ("first_party", "third_party", "collaborative", "other")
    if relationship not in known:
        raise InputError(f"--relationship {relationship!r}: give one of {', '.join(known)}")
    results = finished_results(run)
    name = model or str(results.settings["model"]["name"])
    developer, _, rest = name.partition("/")
    if not rest or "/" in rest:
        raise InputError(f"--model: {name!r} does not say who made the model; give DEVELOPER/MODEL")
    settings = json.dumps(results.settings, sort_keys=True).encode()
    number = uuid.UUID(bytes=hashlib.sha256(settings).digest()[:16], version=4)
    path = Path(out) / "data" / results.benchmark / developer / rest / f"{number}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(
        path, json.dumps(record(results, name, organization, relationship), indent=2, ensure_ascii=False) + "\n"
    )
    return path


def record(results: Results, model: str, organization: str, relationship: str) -> dict[str, Any]:
    """Return the record of a run.

    Args:
        results: of the run.
        model: `DEVELOPER/MODEL`.
        organization: who ran it.
        relationship: of that organization to the model.
    """
    settings = results.settings
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{results.benchmark}/{model.replace('/', '_')}/{settings['created']}",
        "evaluation_timestamp": settings["created"],
        "retrieved_timestamp": settings["created"],
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": relationship,
        },
        "eval_library": {"name": "lengthwise", "version": settings["lengthwise"]},
        "model_info": {
            "name": model.partition("/")[2],
            "id": model,
            "developer": model.partition("/")[0],
            "additional_details": {
                "deployment_type": _deployment(str(settings["model"].get("kind"))),
                "model_availability": "unknown",
            },
        },
        "evaluation_results": [_result(one, results) for one in headlines(results)],
    }


def _deployment(kind: str) -> str:
    return "self_deployed" if kind in _SELF else "externally_managed" if kind in _AWAY else "unknown"


def _result(one: Headline, results: Results) -> dict[str, Any]:
    settings = results.settings
    cell = results.cell(one.config, one.split)
    details = {kind: str(count) for kind, count in cell.outcomes.items()} if cell is not None else {}
    uncertainty: dict[str, Any] = {"num_samples": one.n}
    if one.interval is not None:
        uncertainty["confidence_interval"] = {
            "lower": one.interval[0],
            "upper": one.interval[1],
            "confidence_level": CONFIDENCE,
            "method": one.method,
        }
    return {
        "evaluation_result_id": f"{one.config}/{one.split}/{one.metric}",
        "evaluation_name": f"{results.benchmark} {one.config} {one.split}",
        "evaluation_timestamp": settings["created"],
        "source_data": _source(settings["data"], results.benchmark, one),
        "metric_config": {
            "evaluation_description": _DESCRIPTIONS[one.metric],
            "metric_id": one.metric,
            "metric_name": one.metric.replace("_", " "),
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {"score": one.value, "details": details, "uncertainty": uncertainty},
        "generation_config": _generation(settings),
    }


def _source(data: Mapping[str, Any], benchmark: str, one: Headline) -> dict[str, Any]:
    digest = data["cells"].get(f"{one.config}/{one.split}")
    details = {"config": one.config, "split": one.split} | ({"content_digest": str(digest)} if digest else {})
    if not data["revision"]:
        return {"dataset_name": benchmark, "source_type": "other", "additional_details": details}
    return {
        "dataset_name": benchmark,
        "source_type": "hf_dataset",
        "hf_repo": str(data["source"]).partition("@")[0],
        "hf_split": one.split,
        "samples_number": one.n,
        "additional_details": {**details, "revision": str(data["revision"])},
    }


def _generation(settings: Mapping[str, Any]) -> dict[str, Any]:
    sampling = settings.get("sampling") or {}
    known = {name: sampling[name] for name in ("temperature", "top_p", "max_tokens") if sampling.get(name) is not None}
    more = {
        "method": settings["method"],
        "prompt_template_sha256": settings["prompt_template"],
        "repeats": settings["repeats"],
        **{name: value for name, value in sampling.items() if name not in known and value is not None},
    }
    return {
        "generation_args": known,
        "additional_details": {name: str(value) for name, value in more.items() if value is not None},
    }
