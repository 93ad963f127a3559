"""Every operation of the API, read from the URL configuration, and trying them without a trace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.urls import get_resolver

from api.operation import Operation, operation_of

METHODS = ("get", "post", "put", "patch", "delete")
NOT_OPERATIONS = {"schema", "docs", "docs/"}
"""Addresses that describe the others, to anybody."""
OF_NOBODY = {"token_id", "session_id", "slug", "code"}
"""Parameters that do not lead to a club by themselves."""


class Asked(NamedTuple):
    """An operation at its address."""

    method: str
    route: str
    operation: type[Operation]


def operations(patterns: Any = None) -> Iterator[Asked]:
    """Every operation of the API; raises AssertionError where an address does not say who may."""
    for pattern in patterns or get_resolver("api.v1.urls").url_patterns:
        route = str(pattern.pattern)
        if route in NOT_OPERATIONS:
            continue
        view = getattr(pattern.callback, "cls", None)
        found = [(method, operation_of(view, method)) for method in METHODS if view is not None]
        assert any(operation for _, operation in found), f"{route} has no operations"
        for method, operation in found:
            if operation is not None:
                insist_on_a_rule(route, operation)
                yield Asked(method, route, operation)


def insist_on_a_rule(route: str, operation: type[Operation]) -> None:
    """Raise AssertionError for an operation that does not declare who may."""
    name = operation.__name__
    assert hasattr(operation, "scope"), f"{name} declares no scope"
    parameters = set(re.findall(r"<\w+:(\w+)>", route))
    if parameters - OF_NOBODY:
        assert operation.right is not None, f"{name} works on something of a club without a right"
    if operation.right is not None:
        assert operation.scope is not None, f"{name} needs a right and no scope"


OPERATIONS = [pytest.param(asked, id=asked.operation.__name__) for asked in operations()]


@contextmanager
def taken_back() -> Iterator[None]:
    """Nothing that the block writes stays."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
