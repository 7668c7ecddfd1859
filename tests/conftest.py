"""Settings that all tests share."""

from hypothesis import HealthCheck, settings

# How long an example takes says something about the machine, nothing about the rules.
settings.register_profile(
    "isolation", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("isolation")
