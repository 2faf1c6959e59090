"""What all tests share: hypothesis profiles.

`HYPOTHESIS_PROFILE=long` looks longer; the default is the quick share that `make test` runs.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Two busy cores make single examples slow now and then: that is no failure.
settings.register_profile(
    "quick", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
