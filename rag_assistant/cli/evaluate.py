"""`rag-assistant eval`: measure search, evidence and answers; each action is imported when used."""

from argparse import Namespace


def run_eval(options: Namespace) -> int:
    """Do one thing with question sets and their runs."""
    match options.action:
        case "init":
            from rag_assistant.cli.eval_init import run_eval_init as act
        case "compare":
            from rag_assistant.cli.eval_compare import run_eval_compare as act
        case "report":
            from rag_assistant.cli.eval_runs import run_report as act
        case "runs":
            from rag_assistant.cli.eval_runs import run_runs as act
        case "resume":
            from rag_assistant.cli.eval_run import resume_run as act
        case _:
            from rag_assistant.cli.eval_run import run_questions as act
    return act(options)
