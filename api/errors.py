"""Every refusal of the service as RFC 9457 ``application/problem+json``, made in this one place.

A problem has ``type`` (where the code is described), ``title``, ``status``, ``detail`` (a message
to act on), ``code`` (stable snake_case) and ``facts``. ``PROBLEMS`` is the catalogue: the status
and the meaning of every code that the service itself gives. The codes of broken rules of play come
from the rules engine and all are of the family ``illegal_event``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import structlog
from django.core.exceptions import (
    BadRequest,
    ObjectDoesNotExist,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from rest_framework import exceptions as drf

from api.languages import TAGS, chinese_detail, in_chinese
from records.errors import RecordsError
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.refusals import refusals_of
from rules_engine.registry import UnknownRuleset
from rules_engine.ruleset import Ruleset

PROBLEM_JSON = "application/problem+json"

log = structlog.get_logger(__name__)


class Meaning(NamedTuple):
    """What a code stands for: the HTTP status it is sent with, and its title in two languages."""

    status: int
    title: str
    title_zh: str = ""


PROBLEMS: Mapping[str, Meaning] = MappingProxyType(
    {
        "malformed_json": Meaning(400, "The body is not JSON", "请求正文不是 JSON"),
        "bad_request": Meaning(400, "The request cannot be understood", "看不懂这个请求"),
        "unknown_sort": Meaning(400, "A board cannot be sorted by this", "榜单不能按此排序"),
        "no_tiers_here": Meaning(
            400, "The board has no tiers to sort by", "此榜没有段位，不能按段位排序"
        ),
        "idempotency_key_required": Meaning(
            400, "A write needs an Idempotency-Key", "写入必须带 Idempotency-Key"
        ),
        "not_authenticated": Meaning(401, "Sign in first", "请先登录"),
        "authentication_failed": Meaning(
            401, "The token or the password is not valid", "令牌或密码无效"
        ),
        "permission_denied": Meaning(
            403, "Your role in this club does not allow it", "以你在此俱乐部的身份不能这样做"
        ),
        "missing_scope": Meaning(403, "The token is not good for this", "令牌没有这项权限"),
        "beyond_your_token": Meaning(
            403, "A token makes none that is good for more", "不能用令牌造出权限更大的令牌"
        ),
        "csrf_failed": Meaning(
            403,
            "The write did not come with this session's CSRF token",
            "写入未带本次会话的 CSRF 令牌",
        ),
        "wrong_password": Meaning(403, "The password is not yours", "密码不对"),
        "own_claim": Meaning(403, "Somebody else decides your claim", "自己的认领须由别人裁定"),
        "not_found": Meaning(
            404, "There is no such thing, or you may not see it", "没有这样东西，或你无权查看"
        ),
        "unknown_invitation": Meaning(404, "There is no such invitation", "没有这份邀请"),
        "method_not_allowed": Meaning(405, "This address has no such method", "此地址没有这个方法"),
        "not_acceptable": Meaning(
            406, "The answer does not exist in the form you accept", "没有你要的格式"
        ),
        "username_taken": Meaning(409, "Somebody else has this username", "用户名已有人用"),
        "slug_taken": Meaning(409, "Another club has this slug", "已有俱乐部用此短名"),
        "player_name_taken": Meaning(
            409, "The club has a player of this name", "俱乐部已有同名牌手"
        ),
        "account_plays_already": Meaning(
            409, "The account is another player of this club", "此账号已是俱乐部的另一位牌手"
        ),
        "last_owner": Meaning(409, "A club needs an owner", "俱乐部不能没有会长"),
        "already_a_member": Meaning(
            409, "You are a member of this club already", "你已是此俱乐部的成员"
        ),
        "time_zone_fixed": Meaning(
            409, "A closed season fixes the club's time zone", "赛季已封，俱乐部的时区不能再改"
        ),
        "not_a_guest": Meaning(409, "The record is no guest's", "这份记录不是客人的"),
        "claim_open_already": Meaning(
            409, "You have claimed this record already", "你已认领过此记录"
        ),
        "claim_decided": Meaning(409, "The claim was decided already", "此认领已有裁定"),
        "cannot_merge": Meaning(409, "These two records cannot be merged", "这两份记录不能合并"),
        "sat_at_one_table": Meaning(
            409, "The two are two persons: they sat at one table", "两人曾经同桌，必是两个人"
        ),
        "merge_undone": Meaning(409, "The merge was undone already", "此合并已撤销"),
        "season_name_taken": Meaning(
            409, "The club has a season of this name", "俱乐部已有同名赛季"
        ),
        "season_overlaps": Meaning(409, "Another season has days of it", "与另一赛季日期重叠"),
        "season_state": Meaning(409, "The season is in another state", "赛季当前的状态不允许"),
        "season_not_begun": Meaning(409, "The season has not begun", "赛季尚未开始"),
        "season_has_games": Meaning(409, "Games count in the season", "已有对局计入此赛季"),
        "preset_name_taken": Meaning(409, "There is a preset of this name", "已有同名玩法"),
        "preset_of_another_version": Meaning(
            409, "The preset is for another version", "此玩法属于规则的另一版本"
        ),
        "player_left": Meaning(409, "A player has left the club", "有牌手已离开俱乐部"),
        "one_person_twice": Meaning(409, "Two of the players are one person", "两位牌手是同一人"),
        "answer_forgotten": Meaning(
            410, "The answer to this request is no longer kept", "此请求的回答已不再保存"
        ),
        "operation_over": Meaning(410, "This is no longer done", "此操作已停用"),
        "invitation_over": Meaning(410, "The invitation is no longer good", "邀请已失效"),
        "too_many_webhooks": Meaning(
            409, "The club has as many webhooks as it may", "俱乐部的回调已达上限"
        ),
        "webhook_disabled": Meaning(409, "The webhook is disabled", "此回调已停用"),
        "not_rated": Meaning(409, "The club keeps no ratings", "俱乐部不计等级分"),
        "not_settled": Meaning(409, "The hand is not settled yet", "此局尚未结算"),
        "not_checkpointed": Meaning(
            409, "No signed checkpoint covers the hand yet", "尚无签名检查点涵盖此局"
        ),
        "length_required": Meaning(411, "Say how long the body is", "请写明正文长度"),
        "stale_seq": Meaning(412, "The game has moved on", "对局已有新事件"),
        "payload_too_large": Meaning(413, "The body is too large", "请求正文太大"),
        "unsupported_media_type": Meaning(
            415, "The body's media type is not supported", "不支持此正文类型"
        ),
        "bad_file": Meaning(422, "The body is no file of games", "正文不是对局文件"),
        "invalid_input": Meaning(422, "A field is missing or not valid", "有字段缺少或无效"),
        "unknown_field": Meaning(422, "The answer has no such field", "回答里没有这个字段"),
        "unknown_parameter": Meaning(422, "There is no such query parameter", "没有这个查询参数"),
        "invalid_ladder": Meaning(
            422, "Nobody could climb this ladder", "没有人能爬上这样的段位表"
        ),
        "illegal_event": Meaning(422, "The rules do not allow this event", "规则不允许这个事件"),
        "idempotency_key_reused": Meaning(
            422, "The key was used for another request", "此键已用于别的请求"
        ),
        "scope_of_account": Meaning(
            422,
            "A token of clubs cannot have a scope of the account",
            "限于俱乐部的令牌不能有账号的权限",
        ),
        "webhook_url_refused": Meaning(422, "Nothing is sent to this URL", "不能向这个网址发送"),
        "unknown_ruleset": Meaning(422, "There is no such ruleset", "没有这套规则"),
        "unknown_player": Meaning(422, "The club has no such player", "俱乐部没有这位牌手"),
        "unknown_account": Meaning(422, "Nobody signs in with this username", "没有此用户名的账号"),
        "not_a_member": Meaning(
            422, "The account is no member of this club", "此账号不是俱乐部成员"
        ),
        "unknown_time_zone": Meaning(422, "There is no such time zone", "没有这个时区"),
        "season_dates": Meaning(422, "These days cannot be a season", "这样的日期不能成为赛季"),
        "invalid_username": Meaning(422, "The username is not valid", "用户名无效"),
        "weak_password": Meaning(422, "The password is too weak", "密码太弱"),
        "seq_out_of_range": Meaning(422, "The game has no such seq", "对局没有此序号"),
        "not_canonical": Meaning(422, "A value cannot be recorded", "有的值不能记录"),
        "precondition_required": Meaning(
            428, "Say which version you mean by If-Match", "请用 If-Match 写明所指的版本"
        ),
        "too_many_requests": Meaning(429, "Too many requests", "请求太多"),
        "too_many_streams": Meaning(429, "You follow too many streams at once", "同时跟随的流太多"),
        "locked_out": Meaning(429, "Too many failed sign-ins", "登录失败次数太多"),
        "internal_error": Meaning(500, "The service made a mistake", "服务出了错"),
        "replay_refused": Meaning(
            500, "A recorded event does not fit the rules installed", "已记录的事件与现有规则不符"
        ),
        "ruleset_missing": Meaning(
            503, "The game's ruleset is not installed here", "这里没有安装这场对局的规则"
        ),
        "month_missing": Meaning(503, "The log is not ready for this month", "日志还没备好这个月"),
        "database_unavailable": Meaning(503, "The database does not answer", "数据库没有应答"),
    }
)
"""Code to status and title. Sent codes that are not here are of the family ``illegal_event``."""

_RENAMED: Mapping[str, str] = MappingProxyType(
    {
        "stale_sequence": "stale_seq",
        "command_reused": "idempotency_key_reused",
        "unknown_game": "not_found",
        "bad_append": "invalid_input",
    }
)
"""Codes of the log that clients know by the name of the header they sent."""


class Problem(Exception):
    """A refusal of the API itself. ``facts`` are JSON values; ``headers`` go with the answer.

    ``title_zh`` says in Chinese what is wrong where the code's title in the catalogue does not.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        facts: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        family: str | None = None,
        title_zh: str = "",
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.facts = dict(facts or {})
        self.headers = dict(headers or {})
        self.family = family or (code if code in PROBLEMS else "illegal_event")
        self.title_zh = title_zh or PROBLEMS[self.family].title_zh

    @property
    def detail_zh(self) -> str:
        """The detail in Chinese."""
        return chinese_detail(self.title_zh, self.facts)


def answer(problem: Problem) -> HttpResponse:
    """The HTTP answer that carries a problem, in the language that the request asks for."""
    meaning = PROBLEMS[problem.family]
    chinese = in_chinese()
    body = {
        "type": f"/api/v1/errors/{problem.family}",
        "title": meaning.title_zh if chinese else meaning.title,
        "status": meaning.status,
        "detail": problem.detail_zh if chinese else problem.detail,
        "code": problem.code,
        "facts": problem.facts,
    }
    return HttpResponse(
        msgspec.json.encode(body),
        status=meaning.status,
        content_type=PROBLEM_JSON,
        headers={"Content-Language": TAGS[chinese], **problem.headers},
    )


def from_violation(violation: Violation, ruleset: Ruleset | None = None) -> Problem:
    """A broken rule: its code, rule id, seq, expected, actual; the text where it is known."""
    rule = ruleset.rules.get(violation.rule) if ruleset is not None else None
    facts: dict[str, Any] = {
        "rule": violation.rule or None,
        "seq": violation.seq or None,
        "expected": violation.expected,
        "actual": violation.actual,
        **violation.facts,
    }
    if rule is not None:
        facts |= {"rule_zh": rule.zh, "rule_en": rule.en}
    refusals = ruleset.refusals if ruleset is not None else refusals_of("rules_engine")
    called = refusals.get(violation.code)
    return Problem(
        violation.code,
        violation.message,
        family="illegal_event",
        facts=facts,
        title_zh=called.zh if called is not None else "",
    )


@contextmanager
def rules_quoted(ruleset: Ruleset) -> Iterator[None]:
    """Refusals of the engine inside the block quote the broken rule of this ruleset."""
    try:
        yield
    except IllegalEvent as error:
        raise from_violation(error.violation, ruleset) from error


def problem_of(error: Exception) -> Problem:
    """The problem that an exception stands for; ``internal_error`` for one that nobody foresaw."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, IllegalEvent):
        return from_violation(error.violation)
    if isinstance(error, RecordsError):
        code = _RENAMED.get(error.code, error.code)
        if code in PROBLEMS:
            return Problem(code, error.message, facts=error.facts)
    if isinstance(error, UnknownRuleset):
        log.error("ruleset missing", reason=str(error))
        return Problem("ruleset_missing", f"The game cannot be read here. {error}")
    if isinstance(error, drf.APIException):
        return _from_drf(error)
    # A row that somebody deleted while this request was on its way to it.
    if isinstance(error, Http404 | ObjectDoesNotExist):
        return Problem("not_found", "There is nothing at this address that you may see.")
    if isinstance(error, PermissionDenied):
        return Problem("permission_denied", str(error) or "You may not do this.")
    if isinstance(error, RequestDataTooBig):
        return Problem("payload_too_large", str(error))
    if isinstance(error, SuspiciousOperation | BadRequest):
        return Problem("bad_request", "The request cannot be understood.")
    if isinstance(error, OperationalError | InterfaceError):
        log.error("database unavailable", exc_info=error)
        return Problem(
            "database_unavailable",
            "The database does not answer. Nothing was written; try again.",
            headers={"Retry-After": "2"},
        )
    log.error("unforeseen error", exc_info=error)
    return Problem(
        "internal_error", "Something went wrong on our side. Nothing was written; it is logged."
    )


_DRF_CODES: Mapping[type[drf.APIException], str] = MappingProxyType(
    {
        drf.ParseError: "bad_request",
        drf.NotAuthenticated: "not_authenticated",
        drf.AuthenticationFailed: "authentication_failed",
        drf.PermissionDenied: "permission_denied",
        drf.NotFound: "not_found",
        drf.MethodNotAllowed: "method_not_allowed",
        drf.NotAcceptable: "not_acceptable",
        drf.UnsupportedMediaType: "unsupported_media_type",
        drf.Throttled: "too_many_requests",
    }
)


def _from_drf(error: drf.APIException) -> Problem:
    """The framework's own refusals, under our codes."""
    if isinstance(error, drf.ValidationError):
        return Problem(
            "invalid_input",
            "The input is not valid; facts.fields says which fields and why.",
            facts={"fields": error.detail},
        )
    headers: dict[str, str] = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    wait = getattr(error, "wait", None)
    if isinstance(error, drf.Throttled):
        headers["Retry-After"] = str(max(1, round(wait or 1)))
    code = _DRF_CODES.get(type(error), "bad_request")
    return Problem(code, str(error.detail), headers=headers)


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """The REST framework's EXCEPTION_HANDLER: every exception of a view ends here."""
    problem = problem_of(error)
    response = answer(problem)
    view = context.get("view")
    if PROBLEMS[problem.family].status == 405 and view is not None:
        response["Allow"] = ", ".join(view.allowed_methods)
    return response
