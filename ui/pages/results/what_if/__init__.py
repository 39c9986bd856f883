"""Other words, and what would follow."""
