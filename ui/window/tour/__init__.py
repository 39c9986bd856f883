"""The first visit: a short tour of the window over the sample."""
