"""The Models page."""
