"""Settings shared by all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples in every run, so that a change is judged by what it changes.
# To look for new ones: pytest --hypothesis-profile=search
# A slow or busy machine is no failure: neither an example nor the making of examples has to be quick.
patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeatable", derandomize=True, **patient)
settings.register_profile("search", derandomize=False, max_examples=1000, **patient)
settings.load_profile("repeatable")
