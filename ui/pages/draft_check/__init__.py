"""The page for checking a draft."""
