"""Records: values of JSON, contacts, events, feeds, references."""
