"""The Feedback page."""
