"""The Advice page."""
