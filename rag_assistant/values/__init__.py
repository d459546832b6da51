"""Frozen values that travel: documents, messages, events, evidence, coverage, scope, their JSON."""
