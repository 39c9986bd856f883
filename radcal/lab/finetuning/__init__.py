"""Teaching a language model to say how sure it is of its answers."""
