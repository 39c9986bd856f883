"""Feedback pages and personal files for radiologists."""
