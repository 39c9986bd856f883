"""The Evidence page."""
