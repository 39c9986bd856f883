"""Parts of the reliability page."""
