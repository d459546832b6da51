"""`run_python`: a Python process of its own that keeps its variables for the conversation.

`worker` is what runs there, a script that knows nothing of this package; `process` starts and ends
it, `session` runs code in it within limits, `database_calls` answers what the code asks of the
databases, and `provider` makes a tool of it. The process is no sandbox: the code can do what the
person can, which is why each run asks first; limits and a bare environment guard against accidents.
"""
