"""`run_python`: a Python process of its own that keeps its variables for the conversation.

`worker` is what runs there, a script that knows nothing of this package, kept by `guard` from
files, network and processes that are not its own as far as the system can; `process` starts and
ends both, `session` runs code within limits, `database_calls` answers what the code asks of the
databases, and `provider` makes a tool of it. Each run asks first, and says what is not kept.
"""
