"""`lengthwise serve-command`: a thin shell over `evaluators.serving.serve_command`."""

from typing import Annotated

import typer

from lengthwise.cli.options import parse_names


def register(app: typer.Typer) -> None:
    """Add the command `serve-command` to the command line."""
    app.command("serve-command")(serve)


def serve(
    model: Annotated[str, typer.Argument(help="Hub id, or a local folder with a config.json.")],
    data: Annotated[str, typer.Argument(help="Folder, or Hub id ORG/NAME\\[@REVISION].")],
    configs: Annotated[list[str] | None, typer.Argument(help="Configs; all by default.")] = None,
    split: Annotated[list[str] | None, typer.Option(help="Splits, repeated or with commas; all by default.")] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Output tokens to keep room for; the paper's by default.")
    ] = None,
    rope_factor: Annotated[
        float | None, typer.Option(help="YaRN factor, instead of the papers' for this model; 1 means none.")
    ] = None,
    rope_theta: Annotated[
        float | None, typer.Option(help="The model's rope_theta, where neither the table nor a config.json tells it.")
    ] = None,
    native_window: Annotated[
        int | None, typer.Option(help="Tokens that the model holds as it is, where nothing else tells it.")
    ] = None,
    vllm_version: Annotated[
        str | None,
        typer.Option(help="Whose flags to use; those of the installed vLLM by default, else the newest known."),
    ] = None,
    python: Annotated[
        str | None, typer.Option(help="Python of the environment that vLLM is in, if that is another one.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Passed on to vLLM.")] = None,
    tensor_parallel_size: Annotated[int | None, typer.Option(help="Passed on to vLLM.")] = None,
    dtype: Annotated[str | None, typer.Option(help="Passed on to vLLM.")] = None,
) -> None:
    """Print the vLLM command whose server holds the data with its output reserve; notes go to stderr."""
    from lengthwise.evaluators.serving import ServerOptions, serve_command

    command = serve_command(
        model,
        data,
        configs or (),
        splits=parse_names(split),
        max_tokens=max_tokens,
        rope_factor=rope_factor,
        rope_theta=rope_theta,
        native_window=native_window,
        vllm_version=vllm_version,
        python=python,
        options=ServerOptions(port, tensor_parallel_size, dtype),
    )
    for note in command.notes:
        typer.echo(f"# {note}", err=True)
    typer.echo(command.line)
