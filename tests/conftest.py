"""Settings shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run, so that a change is judged by what it changes.
# To look for new ones: pytest --hypothesis-profile=search
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("repeatable")
