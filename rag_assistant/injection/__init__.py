"""Text that was written for a model to obey or for nobody to see: found, never obeyed or removed.

Pure functions, without a store or a model: loaders, tools and prompts all go by the same rules.
"""
