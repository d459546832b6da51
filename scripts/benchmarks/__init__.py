"""The benchmarks: a part for each thing that is measured, one command, one page.

`python -m scripts.benchmarks` runs them and writes docs/benchmarks.md; `parts.py` names all parts.
"""
