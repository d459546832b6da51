"""The alias of a database, for other programs: dashboards, and whatever else asks the cluster.

Nothing here reads by it: the document of a state says which index and which generation count, and
is changed in one step. The alias follows at the end of each run, also in one step, and lets through
what readers see then; while a database is made anew it leads to the old index.
"""

from rag_assistant.store.opensearch.mapping import alias_name
from rag_assistant.store.opensearch.view import View


def point_alias(view: View) -> None:
    """Let the alias of a database lead to what readers of a view see, and to nothing else."""
    alias = alias_name(view.cluster.address.prefix, view.name)
    added = {"index": view.index, "alias": alias, "filter": view.whole}
    removed = {"index": f"{alias}-*", "alias": alias, "must_exist": False}
    actions = [{"remove": removed}, {"add": added}]
    view.cluster.asked("POST", "/_aliases", {"actions": actions})
