"""The addresses of these pages."""

from django.urls import path

from api.pages import accounts, imports, tokens, webhooks

app_name = "desk"
urlpatterns = [
    path("account", accounts.account, name="account"),
    path("clubs/<slug:slug>/tokens", tokens.tokens, name="tokens"),
    path("clubs/<slug:slug>/webhooks", webhooks.webhooks, name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<uuid:webhook_id>", webhooks.webhook, name="webhook"),
    path("clubs/<slug:slug>/imports", imports.imports, name="imports"),
    path("clubs/<slug:slug>/imports/<uuid:import_id>", imports.one_import, name="import"),
]
