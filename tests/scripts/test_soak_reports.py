"""What a soak tells of reports of a defect, which stands on a page that everybody reads."""

from scripts.benchmarks.program.soaking import without_folders


def test_files_are_named_without_the_folders_of_a_machine() -> None:
    """If it fails, the page of benchmarks names folders of whoever ran them, or no file at all."""
    told = (
        'File "/home/me/main/rag_assistant/agents/loop.py", line 13 (see'
        " /usr/lib/python3.11/asyncio/runners.py) and 1 / 2 or/and"
    )
    assert without_folders(told) == (
        'File "rag_assistant/agents/loop.py", line 13 (see runners.py) and 1 / 2 or/and'
    )
