"""One module per picture, on the base of all: each draws a record and computes nothing."""
