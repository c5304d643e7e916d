"""The distribution as users get it: a wheel built from a copy of the checkout, in a venv that never saw it."""

import hashlib
import json
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import lengthwise
from lengthwise.metrics.modules import MODULES

ROOT = Path(__file__).resolve().parents[1]
LITTER = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "runs")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FOLDERS: dict[str, str] = SETTINGS["tool"]["setuptools"]["package-dir"]
HEAVY = ("aiohttp", "datasets", "evaluate", "huggingface_hub", "numpy", "pyarrow", "tiktoken", "tokenizers")


def build(hook: str, source: Path, out: Path) -> Path:
    """Call a hook of the build backend as pip would, without its isolation: nothing is fetched."""
    out.mkdir(exist_ok=True)
    code = f"import sys; from setuptools import build_meta; print(build_meta.{hook}(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(out)], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out / done.stdout.splitlines()[-1]


def contents(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as opened:
        return {name: hashlib.sha256(opened.read(name)).hexdigest() for name in opened.namelist()}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("checkout") / "copy", ignore=LITTER))


@pytest.fixture(scope="module")
def wheel(checkout: Path) -> Path:
    return build("build_wheel", checkout, checkout.parent / "from-checkout")


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a venv that holds the wheel; its dependencies are those of the running one.

    They come by a path file, so no other path file is read there: an editable install of this checkout stays unseen.
    """
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, symlinks=True)
    scripts = folder / ("Scripts" if sys.platform == "win32" else "bin")
    interpreter = scripts / Path(sys.executable).name
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter), "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(own, "dependencies.pth").write_text("\n".join(sorted(paths)), "utf-8")
    return interpreter


def run(command: Sequence[str | Path], folder: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def command_of(python: Path) -> Path:
    return python.with_name("lengthwise" + python.suffix)


def test_the_wheel_holds_the_rooms_and_nothing_else(wheel: Path, checkout: Path) -> None:
    expected = {
        f"{package.replace('.', '/')}/{path.relative_to(checkout / folder).as_posix()}"
        for package, folder in FOLDERS.items()
        for path in (checkout / folder).rglob("*")
        if path.is_file()
    }
    assert {name for name in contents(wheel) if ".dist-info/" not in name} == expected


@pytest.mark.parametrize(
    "name",
    [
        *(f"{package.replace('.', '/')}/py.typed" for package in FOLDERS),
        "lengthwise/cards/predicate.md",
        "lengthwise/builders/predicate/prompts/lex-locate.txt",
        "lengthwise/evaluators/prices.json",
        *(
            f"lengthwise/metrics/{name}/{file}"
            for name in MODULES
            for file in (f"{name}.py", "README.md", "requirements.txt", "app.py")
        ),
    ],
)
def test_the_wheel_holds(wheel: Path, name: str) -> None:
    assert name in contents(wheel)


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    stem = f"lengthwise-{lengthwise.__version__}"
    assert wheel.name == f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as opened:
        metadata = opened.read(f"{stem}.dist-info/METADATA").decode()
        assert opened.read(f"{stem}.dist-info/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    assert "License-Expression: Apache-2.0" in metadata
    assert "Requires-Python: >=3.11" in metadata


def test_an_sdist_gives_the_same_wheel(wheel: Path, checkout: Path) -> None:
    sdist = build("build_sdist", checkout, checkout.parent / "sdist")
    with tarfile.open(sdist) as opened:
        opened.extractall(sdist.parent, filter="data")
    again = build("build_wheel", sdist.parent / sdist.name.removesuffix(".tar.gz"), checkout.parent / "from-sdist")
    assert contents(again) == contents(wheel)


def test_what_is_imported_is_the_wheel(python: Path, tmp_path: Path) -> None:
    code = (
        "import json, lengthwise, lengthwise.builders.predicate as room; from importlib.resources import files; "
        "card = files('lengthwise.cards').joinpath('predicate.md').read_text('utf-8'); "
        "print(json.dumps([lengthwise.__version__, lengthwise.__file__, room.__file__, card]))"
    )
    version, *places, card = json.loads(run([python, "-I", "-c", code], tmp_path))
    assert version == SETTINGS["project"]["version"]
    assert all(Path(place).is_relative_to(python.parents[1]) for place in places)
    assert card == (ROOT / "cards" / "predicate.md").read_text("utf-8")


def test_the_command_answers(python: Path, tmp_path: Path) -> None:
    assert run([command_of(python), "--version"], tmp_path) == f"lengthwise {lengthwise.__version__}\n"


def test_help_imports_nothing_heavy(python: Path, tmp_path: Path) -> None:
    code = (
        "import contextlib, io, sys; from lengthwise.cli import main; sys.argv = ['lengthwise', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):\n    main()\n"
        "assert 'validate' in shown.getvalue()\n"
        "print(*sys.modules)"
    )
    loaded = set(run([python, "-I", "-c", code], tmp_path).split())
    assert "lengthwise.cli.build" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_the_wheel_builds_and_validates_without_torch(python: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from lengthwise.builders.benchmarks import validate; "
        "from lengthwise.builders.predicate.build import build_predicate; "
        "from lengthwise.builders.predicate.settings import Settings; "
        "build_predicate('plb', ['lex-locate'], tokens=[1024], settings=Settings(examples=2)); "
        "print([problem for report in validate('plb') for problem in report.problems]); print(*sys.modules)"
    )
    problems, loaded = run([python, "-I", "-c", code], tmp_path).splitlines()
    assert problems == "[]"
    assert {"torch", "transformers", "tensorflow", "jax"}.isdisjoint(loaded.split())
    assert (tmp_path / "plb" / "lex-locate" / "1k-00000-of-00001.parquet").is_file()


def test_evaluate_loads_every_module_out_of_the_wheel(python: Path, tmp_path: Path) -> None:
    code = (
        "import os, sys; os.environ.update(HF_EVALUATE_OFFLINE='1', HF_HOME=sys.argv[1]); import evaluate\n"
        "from lengthwise.metrics.modules import MODULES, module_path\n"
        "print(*(module_path(name) for name in MODULES if evaluate.load(module_path(name)).description), sep='\\n')"
    )
    loaded = run([python, "-I", "-c", code, tmp_path / "hf"], tmp_path).splitlines()
    assert [Path(folder).name for folder in loaded] == [*MODULES]
    assert all(Path(folder).is_relative_to(python.parents[1]) for folder in loaded)
