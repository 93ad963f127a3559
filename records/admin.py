"""The operators' pages at ``/admin/``: a look at everything, and a hand on accounts.

Nothing of the log, the journal or the ledger can be added, changed or deleted here, by nobody; what
clubs keep is theirs to change, by the API. Hidden tiles are not shown, whoever asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from records import ledger, models, reader
from records.errors import RecordsError
from records.verification import verify_game

if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Any]
    Accounts = UserAdmin[models.Account]
else:
    # Neither can be subscripted when it runs.
    Rows, Accounts = admin.ModelAdmin, UserAdmin

EVENTS_PAGE = 200
"""How many events of a game one page shows."""
_DIGEST_SHOWN = 16


class ReadOnlyAdmin(Rows):
    """Rows that can be looked at by staff with the right to view them, and by no means changed."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        del request, obj
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        del request, obj
        return False


@admin.register(models.Game)
class GameAdmin(ReadOnlyAdmin):
    """A game with its events, its settlements and a button that verifies the chain."""

    list_display = ("id", "title", "club", "created_at")
    search_fields = ("id", "title", "club_id")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    show_full_result_count = False
    change_form_template = "admin/records/game/change_form.html"

    @admin.display(description="club")
    def club(self, game: models.Game) -> str:
        """The club's short name, or its id where it has gone."""
        club = models.Club.objects.filter(pk=game.club_id).first()
        return str(game.club_id) if club is None else club.slug

    def get_urls(self) -> list[URLPattern]:
        """With the address that verifies a game."""
        verify = self.admin_site.admin_view(self.verify_view)
        own = path("<uuid:game_id>/verify/", verify, name="records_game_verify")
        return [own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The game with a page of events, the first of which comes after ``?after=``."""
        game: models.Game = context["original"]
        context |= told_of(game, after=_number(request.GET.get("after", "")))
        return super().render_change_form(request, context, *args, **kwargs)

    def verify_view(self, request: HttpRequest, game_id: Any) -> HttpResponse:
        """Whether the game is as it was recorded, and what is wrong if it is not."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            report, unknown = verify_game(game_id), ""
        except RecordsError as error:
            report, unknown = None, error.message
        context = {
            **self.admin_site.each_context(request),
            "opts": self.model._meta,
            "title": f"Verify game {game_id}",
            "game_id": game_id,
            "report": report,
            "unknown": unknown,
        }
        return TemplateResponse(request, "admin/records/game/verify.html", context)


def told_of(game: models.Game, *, after: int) -> dict[str, Any]:
    """A page of a game's events, without what was dealt, and every settlement of it."""
    events = [
        {
            "seq": event.seq,
            "type": event.type,
            "occurred_at_ms": event.occurred_at_ms,
            "recorded_at": event.recorded_at,
            "public": event.public,
            "hides": bool(event.secret),
            "hash": bytes(event.hash).hex()[:_DIGEST_SHOWN],
        }
        for event in models.Event.objects.filter(game_id=game.pk, seq__gt=after).order_by("seq")[
            :EVENTS_PAGE
        ]
    ]
    return {
        "events": events,
        "next_after": events[-1]["seq"] if len(events) == EVENTS_PAGE else None,
        "last_seq": reader.head(game.pk)[0],
        "settlements": ledger.settlement_of_game(game.pk),
    }


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


@admin.register(models.Seal)
class SealAdmin(ReadOnlyAdmin):
    """The journal, the last seal first."""

    list_display = ("position", "game_id", "hand", "seq", "sealed_at")
    fields = ("position", "game_id", "hand", "seq", "leaf_shown", "hash_shown", "sealed_at")
    search_fields = ("game_id",)
    ordering = ("-position",)
    show_full_result_count = False

    @admin.display(description="leaf")
    def leaf_shown(self, seal: models.Seal) -> str:
        """The leaf of the tree in hexadecimal digits."""
        return bytes(seal.leaf).hex()

    @admin.display(description="hash")
    def hash_shown(self, seal: models.Seal) -> str:
        """The hash of the event that was sealed."""
        return bytes(seal.hash).hex()


@admin.register(models.Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    """Signed heads of the tree."""

    list_display = ("size", "signed_at")
    fields = ("size", "note", "signed_at")
    ordering = ("-size",)


@admin.register(models.SettlementFailure)
class SettlementFailureAdmin(ReadOnlyAdmin):
    """Seals that could not be settled, with the reason."""


@admin.register(models.Club)
class ClubAdmin(ReadOnlyAdmin):
    """Clubs."""

    list_display = ("slug", "name", "time_zone", "created_at")
    search_fields = ("slug", "name", "id")
    ordering = ("slug",)


@admin.register(models.Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Who belongs to which club, as what."""

    list_display = ("club", "account", "role")
    list_filter = ("role",)
    list_select_related = ("club", "account")
    search_fields = ("club__slug", "account__username")


@admin.register(models.Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Players; the log knows them by their ids."""

    list_display = ("id", "name", "club", "account", "left_at")
    list_select_related = ("club", "account")
    search_fields = ("id", "name", "club__slug", "account__username")


@admin.register(
    models.Season,
    models.Ladder,
    models.Preset,
    models.Invitation,
    models.Claim,
    models.Merge,
    models.SettlementCursor,
)
class KeptAdmin(ReadOnlyAdmin):
    """What clubs keep."""


@admin.register(models.Account)
class AccountAdmin(Accounts):
    """Accounts: a superuser may close one, give a new password, and let somebody look in here.

    A person is removed by ``manage.py remove_account``, which keeps what others played.
    """

    list_display = ("username", "is_active", "is_staff", "date_joined", "removed_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "id")
    ordering = ("username",)
    filter_horizontal = ()
    readonly_fields = ("id", "username", "date_joined", "last_login", "removed_at")
    fieldsets: ClassVar[Any] = (
        (None, {"fields": ("id", "username", "password")}),
        ("May", {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        ("When", {"fields": ("date_joined", "last_login", "removed_at")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: people sign up."""
        del request
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A superuser; whoever may change accounts could become one."""
        return bool(request.user.is_superuser) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: an account that is gone would take others' records with it."""
        del request, obj
        return False

    def log_change(self, request: HttpRequest, obj: models.Account, message: Any) -> LogEntry:
        """Note the change under the account's id: the note outlives the person's name."""
        entry: LogEntry = super().log_change(request, obj, message)
        entry.object_repr = str(obj.pk)
        entry.save(update_fields=["object_repr"])
        return entry


admin.site.unregister(Group)
admin.site.site_header = "paipu 牌谱"
admin.site.site_title = "paipu"
admin.site.index_title = "Operators"
