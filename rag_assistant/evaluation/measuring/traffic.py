"""What the questions of a stage took together: time, tools, tokens and money."""

from collections.abc import Sequence

from rag_assistant.evaluation.measuring.report import Metrics
from rag_assistant.evaluation.measuring.summary import mean, percentile
from rag_assistant.evaluation.runs.outcomes import Stage, Traffic


def traffic_metrics(stage: Stage, traffic: Sequence[Traffic]) -> Metrics:
    """Give times (percentiles, in milliseconds), calls of tools, tokens and cost of a stage.

    `first` is the time until there is something to read, of the questions for which there was;
    hits come all at once, and without a model, so a search has only its time. Calls are a mean,
    tokens and cost are sums; the cost is that of the models that have prices, None when none has.
    """
    times = [one.elapsed_ms for one in traffic]
    took = {f"{stage}_p{percent}_ms": percentile(times, percent) for percent in (50, 95, 99)}
    if stage == "search":
        return took
    first = [one.first_ms for one in traffic if one.first_ms is not None]
    costs = [one.cost for one in traffic if one.cost is not None]
    return {
        **took,
        **{f"{stage}_first_p{percent}_ms": percentile(first, percent) for percent in (50, 95)},
        f"{stage}_tool_calls": mean([one.tool_calls for one in traffic]),
        f"{stage}_tokens_in": float(sum(one.tokens_in for one in traffic)),
        f"{stage}_tokens_out": float(sum(one.tokens_out for one in traffic)),
        f"{stage}_cost": sum(costs) if costs else None,
    }
