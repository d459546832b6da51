"""Finding without a model, as you type."""
