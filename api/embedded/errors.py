"""The one exception of the embedded services: something a person has to put right."""


class CannotRun(Exception):
    """A service cannot be started or went away. The message says why and what to do about it."""
