"""Asking a language model questions in a way that makes it say how sure it is."""
