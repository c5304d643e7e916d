"""The models of a run in other roles than that of the model it measures: embeddings, and judges of a method."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from lengthwise.contracts import Ask, OverlengthError, Reply, ReplyError, Request, Role, Sampling
from lengthwise.errors import InputError
from lengthwise.evaluators.method_parts import MethodKind
from lengthwise.evaluators.providers import Model, ModelOptions, make_embedder, make_model
from lengthwise.evaluators.providers.base import Notify
from lengthwise.evaluators.rag_blocks import DOCUMENT_BLOCK

ROLES: tuple[Role, ...] = get_args(Role)
# The option that names the model of a role, and what could stand there.
OPTIONS: Mapping[Role, tuple[str, str]] = MappingProxyType(
    {
        "embed": ("--embed", "sentence-transformers (BAAI/bge-m3) or http://host:port/v1#name"),
        "judge": ("--judge", "http://host:port/v1#name"),
    }
)
_WHAT = {"embed": "embeddings", "judge": "a judge"}

RoleModels: TypeAlias = Mapping[Role, Model]


def check_roles(method_name: str, method: MethodKind, roles: Mapping[Role, str]) -> None:
    """Check that each role that a method asks in has a model, and no other.

    Raises:
        InputError: one is missing, or one would never be asked; the option is named.
    """
    for role in method.roles:
        if role not in roles:
            option, example = OPTIONS[role]
            raise InputError(f"--method {method_name}: asks for {_WHAT[role]}; name a model: {option} {example}")
    for role in roles:
        if role not in OPTIONS:
            raise InputError(f"roles: {role!r} has no model of its own; there are {', '.join(OPTIONS)}")
        if role not in method.roles:
            raise InputError(f"{OPTIONS[role][0]}: --method {method_name} never asks for {_WHAT[role]}; leave it out")


def make_role_models(
    roles: Mapping[Role, str], options: ModelOptions, key_envs: Mapping[Role, str], sampling: Sampling
) -> dict[Role, Model]:
    """Return the models of the roles, not entered yet.

    Args:
        roles: a spec for each.
        options: of the run's own model; its key is not for them.
        key_envs: the environment variables with their keys.
        sampling: of the requests that judges get.

    Raises:
        InputError: a spec that cannot be meant, a setting that a judge cannot be given, a key for no model.
    """
    models: dict[Role, Model] = {}
    for role in key_envs:
        if role not in roles:
            raise InputError(f"{OPTIONS[role][0]}-key-env: there is no model for it; name one with {OPTIONS[role][0]}")
    for role, spec in roles.items():
        own = ModelOptions(key_envs.get(role), options.timeout, options.notify)
        with _named(role):
            models[role] = make_embedder(spec, own) if role == "embed" else make_model(spec, own)
        if models[role].gathers:
            raise InputError(f"{OPTIONS[role][0]} {spec}: batches are for the model that is run; leave out batch:")
        if models[role].kind == "reference":
            raise InputError(f"{OPTIONS[role][0]} {spec}: a reference model answers for a whole row; name a model")
        if role != "embed":
            models[role].check(sampling)
    return models


@asynccontextmanager
async def entered(models: RoleModels, notify: Notify = lambda _: None) -> AsyncIterator[None]:
    """Enter all the models, and make sure that each is there before a first call is paid for.

    Args:
        models: of the roles.
        notify: told where a model of embeddings can hardly hold a block.

    Raises:
        InputError: nobody answers there, or the server has no such model; the option is named.
    """
    async with AsyncExitStack() as stack:
        for role, model in models.items():
            with _named(role):
                await stack.enter_async_context(model)
                window = await model.window()
            # A Chinese character is a token at most, or hardly more.
            if role == "embed" and window.tokens is not None and window.tokens < DOCUMENT_BLOCK:
                notify(
                    f"careful: {model.spec} takes {window.tokens:,} tokens of a text; a block of {DOCUMENT_BLOCK:,} "
                    "characters has about 900 in English and more than 2,000 in Chinese, and may be refused"
                )
        yield


@contextmanager
def _named(role: Role) -> Iterator[None]:
    """Have errors name the options of a role; models know those of the run's own model only."""
    option = OPTIONS[role][0]
    try:
        yield
    except InputError as error:
        said = str(error).replace("--model", option).replace("--api-key-env", f"{option}-key-env")
        raise InputError(said) from error


def describe_roles(models: RoleModels) -> dict[str, Any]:
    """Return what run.json says of them."""
    return {role: model.describe() for role, model in models.items()}


def routed(asks: Mapping[Role, Ask], models: RoleModels) -> Ask:
    """Return an `ask` that hands each request to that of its role.

    A text that is too long for the model of embeddings is an error of the run's making, and no `overlength`: that
    would say of the model measured that it cannot hold the row.

    Args:
        asks: of each role.
        models: of all roles but the run's own.
    """

    async def ask(request: Request) -> Reply:
        try:
            return await asks[request.role](request)
        except OverlengthError as error:
            if request.role == "embed":
                raise ReplyError(f"--embed: a block is too long for {models['embed'].name}: {error}") from error
            raise

    return ask if len(asks) > 1 else asks["generate"]
