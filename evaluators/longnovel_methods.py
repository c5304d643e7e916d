"""The paper's two other prompts for LongNovel: the summary before the text, and an analysis before the answer.

`prompt-b` (appendix F) moves the summary in front of the text and changes nothing else; `cot` (section 4.4) has the
task ask for an analysis step by step before the answer. Both send one prompt, made of the words that the data's own
prompts were made of: those in the folder of the data where it holds any, the package's otherwise.
"""

from collections.abc import Callable
from functools import partial

from lengthwise.contracts import Ask
from lengthwise.evaluators.contracts import Example, Method, Prediction
from lengthwise.evaluators.method_parts import MethodKind, Part, Resources, user_request
from lengthwise.evaluators.novel_texts import check_novels, part_of, prompts_for


def prompt_b(example: Example) -> str:
    """Return the row's task with its summary before its text."""
    question, texts = example.columns["question"], example.texts
    return prompts_for(example).detection_prompt(question, texts["article"], texts["summary"], position="beginning")


def prompt_cot(example: Example) -> str:
    """Return the task that asks for an analysis first, and the row's text and summary behind it."""
    prompts, texts = prompts_for(example), example.texts
    return prompts.detection_prompt(prompts.detection(cot=True), texts["article"], texts["summary"])


def _parts(prompt: Callable[[Example], str], example: Example) -> list[Part]:
    return [part_of(example, prompt(example))]


def _make(prompt: Callable[[Example], str], resources: Resources) -> Method:
    async def method(example: Example, ask: Ask) -> Prediction:
        return Prediction(await ask(user_request(prompt(example), resources.sampling)))

    return method


def _kind(about: str, prompt: Callable[[Example], str]) -> MethodKind:
    return MethodKind(about, partial(_make, prompt), 1, parts=partial(_parts, prompt), check=check_novels)


PROMPT_B = _kind("sends the prompt once, the summary before the text (longnovel)", prompt_b)
COT = _kind("sends the prompt once, asks for an analysis before the answer (longnovel)", prompt_cot)
