"""Annotated report sets: drawing, annotation, and agreement with engines and between readers."""
