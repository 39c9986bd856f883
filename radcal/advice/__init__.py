"""Which words would have been closer: costs, plans, their evaluation, and what is said of each word."""
