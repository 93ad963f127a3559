"""Our addresses, with bare views beside them in the same server.

The bare view is what Django REST framework costs before anything of ours: a body parsed, validated
by a serializer, hashed, inserted as one row, and an answer. Nobody signs in and nothing is limited.
"""

from __future__ import annotations

import hashlib
import json
from uuid import UUID

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework import serializers
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api import urls


class EventGiven(serializers.Serializer):  # type: ignore[type-arg]
    """What the bare view takes."""

    game = serializers.UUIDField()
    seq = serializers.IntegerField(min_value=1)
    type = serializers.CharField(max_length=40)
    data = serializers.JSONField()  # type: ignore[assignment] # a property of the base


class InsertOne(APIView):
    """The bare view."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()
    parser_classes = (JSONParser,)
    renderer_classes = (JSONRenderer,)

    def post(self, request: Request) -> Response:
        """Insert one row."""
        given = EventGiven(data=request.data)
        given.is_valid(raise_exception=True)
        event = given.validated_data
        data = JSONRenderer().render(event["data"])
        digest = hashlib.sha256(data).digest()
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO bare_event (game_id, seq, type, data, hash)"
                " VALUES (%s, %s, %s, %s, %s)",
                [event["game"], event["seq"], event["type"], data.decode(), digest],
            )
        return Response({"seq": event["seq"], "hash": digest.hex()}, status=201)


class ReadAll(APIView):
    """The bare view that reads: a query, rows as they are, an answer."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()
    renderer_classes = (JSONRenderer,)

    def get(self, request: Request, game_id: UUID) -> Response:
        """The rows of one game."""
        del request
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT seq, type, data, hash FROM bare_event WHERE game_id = %s ORDER BY seq",
                [game_id],
            )
            rows = cursor.fetchall()
        return Response(
            [
                {"seq": seq, "type": kind, "data": json.loads(data), "hash": bytes(digest).hex()}
                for seq, kind, data, digest in rows
            ]
        )


def empty(request: HttpRequest) -> HttpResponse:
    """A page with nothing on it."""
    del request
    return HttpResponse("<!doctype html><title>empty</title>")


urlpatterns = [
    *urls.urlpatterns,
    path("empty", empty),
    path("bare", InsertOne.as_view()),
    path("bare/<uuid:game_id>", ReadAll.as_view()),
]
