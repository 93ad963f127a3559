"""In which language a page is read: what the address says, else the cookie, else the browser."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

from replays.words import LANGUAGES

COOKIE_AGE_S: Final = 365 * 24 * 3600
OTHER: Final = {"zh": "en", "en": "zh"}

Answer = Callable[[HttpRequest], HttpResponseBase]


def language_of(request: HttpRequest) -> str:
    """``zh`` or ``en``, the names under which words and rulesets keep their texts."""
    return "zh" if getattr(request, "LANGUAGE_CODE", "").lower().startswith("zh") else "en"


def chosen_language(get_response: Answer) -> Answer:
    """Middleware: ``?lang=`` changes the language of this page and of the following ones.

    It stands behind Django's LocaleMiddleware, which reads the cookie and the browser's wishes.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        asked = request.GET.get("lang", "").lower()
        if not asked:
            return get_response(request)
        code = "zh-hans" if asked.startswith("zh") else "en"
        request.LANGUAGE_CODE = code
        with translation.override(code):
            response = get_response(request)
        response.headers["Content-Language"] = LANGUAGES[language_of(request)]
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, code, max_age=COOKIE_AGE_S, samesite="Lax"
        )
        return response

    return answer
