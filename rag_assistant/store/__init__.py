"""The content of a database: entries, passages, what a query finds, the ledger of its files."""
