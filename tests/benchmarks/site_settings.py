"""The service's own settings, and the addresses of the benchmark."""

from api.settings import *  # noqa: F403 -- all of them, whatever they are

ROOT_URLCONF = "tests.benchmarks.site_urls"
