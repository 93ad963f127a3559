"""What every page needs: its words, its language, its theme."""

from typing import Any, Final

from django.http import HttpRequest

from replays.pages.languages import OTHER, language_of
from replays.words import LANGUAGES, WORDS

THEMES: Final = ("light", "dark")
THEME_COOKIE: Final = "theme"


def page_context(request: HttpRequest) -> dict[str, Any]:
    """For the template engine: the context that ``replays/base.html`` is written for.

    Without the reader's choice the theme is empty and the browser's own decides.
    """
    language = language_of(request)
    other = OTHER[language]
    switched = request.GET.copy()
    switched["lang"] = LANGUAGES[other]
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {
        "t": WORDS[language],
        "language": LANGUAGES[language],
        "other_language": LANGUAGES[other],
        "switch_query": switched.urlencode(),
        "theme": theme if theme in THEMES else "",
        "here": request.get_full_path(),
    }
