"""The page on which a draft is checked."""
