"""Databases on an OpenSearch cluster: the second engine behind the protocols of the store."""
