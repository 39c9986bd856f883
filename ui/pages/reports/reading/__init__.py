"""The Extraction page."""
