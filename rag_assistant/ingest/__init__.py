"""From a folder to passages: `walk` finds files, `loaders` read them, `passages` cuts them up.

`walking` and `parsing` hold what those two stand on; `extraction` reads one file, `worker` is the
process that it is read in, and `pool` keeps the workers. Nothing here knows of a store: every
function takes values or bytes and gives values. Importing the package loads no parser; pypdfium2
and lxml are imported by the first file that needs them.
"""
