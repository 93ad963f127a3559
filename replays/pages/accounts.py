"""Signing in and out. The session's cookie is the one the API knows too."""

from typing import Any

from django.contrib.auth.views import LoginView, LogoutView


class SignIn(LoginView):
    """A form for a name and a password; django-axes counts the failures."""

    template_name = "replays/sign_in.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With ``is_sign_in``, so that the page does not link to itself."""
        return super().get_context_data(**kwargs, is_sign_in=True)


class SignOut(LogoutView):
    """By POST only, so that no other page can sign anybody out."""

    next_page = "replays:home"
