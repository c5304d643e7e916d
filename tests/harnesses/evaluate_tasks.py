"""lm-eval from Python, without the seven seconds that its command takes to read its own tasks first.

Called with the arguments of `simple_evaluate` as JSON; task files are in `tasks`, and what came of it goes to `out`.
"""

import json
import sys
from pathlib import Path

from lm_eval.evaluator import simple_evaluate
from lm_eval.tasks import TaskManager

manager = TaskManager(include_path="tasks", include_defaults=False)
found = simple_evaluate(**json.loads(sys.argv[1]), task_manager=manager, log_samples=True, bootstrap_iters=0)
out = Path("out")
out.mkdir()
(out / "results_1.json").write_text(json.dumps({"results": found["results"]}, default=str))
for task, samples in found["samples"].items():
    (out / f"samples_{task}.jsonl").write_text("\n".join(json.dumps(sample, default=str) for sample in samples))
