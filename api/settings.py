"""Django settings, read from the environment and from nothing else.

Every variable begins with PAIPU_. Without any, the settings are those of the embedded default that
`manage.py up` runs. PAIPU_MODE=production refuses to start with a default secret.
"""

import base64
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from api.databases import ROLES, database_settings
from api.embedded.environment import data_dir, read_running
from api.log_output import logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
DATA_DIR = data_dir(BASE_DIR, env.ENVIRON)

MODE = env.str("PAIPU_MODE", default="development")
if MODE not in {"development", "production"}:
    raise ImproperlyConfigured(f"PAIPU_MODE is {MODE!r}; it must be development or production.")
PRODUCTION = MODE == "production"

# In development the addresses of a running `manage.py up` stand in for what is not set.
_running = {} if PRODUCTION else read_running(DATA_DIR)


def _setting(name: str, default: str = "") -> str:
    """The variable `name`, else what `up` handed out under it, else `default`."""
    return env.str(name, default="") or _running.get(name, default)


def _decoded(text: str) -> bytes:
    """The bytes of base64 text; none when it is something else."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


# Identity and secrets ------------------------------------------------------------------------

_DEVELOPMENT_SECRET = "development-only-secret-key-not-for-production"  # noqa: S105 - refused below
SECRET_KEY = _setting("PAIPU_SECRET_KEY", _DEVELOPMENT_SECRET)
# Earlier secrets: what they signed is still believed, and webhooks are signed with them too.
SECRET_KEY_FALLBACKS = env.list("PAIPU_SECRET_KEY_FALLBACKS", default=[])
INSTANCE = env.str("PAIPU_INSTANCE", default="")
DEBUG = env.bool("PAIPU_DEBUG", default=False)
ALLOWED_HOSTS = env.list("PAIPU_ALLOWED_HOSTS", default=[] if PRODUCTION else ["*"])
CSRF_TRUSTED_ORIGINS = env.list("PAIPU_TRUSTED_ORIGINS", default=[])

# The log's checkpoints are signed with this Ed25519 key (base64 of 32 bytes) under this name.
CHECKPOINT_ORIGIN = _setting("PAIPU_CHECKPOINT_ORIGIN", "paipu.local/log")
CHECKPOINT_KEY = _setting("PAIPU_CHECKPOINT_KEY")

# Applications --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.admin",
    "rest_framework",
    "axes",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "corsheaders",
    "csp",
    "django_htmx",
    "records",
    "replays",
    "api",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "api.sessions.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "replays.pages.languages.chosen_language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "api.content_policy.ContentPolicy",
    "api.handlers.told_where_nothing_is_taken",
]
ROOT_URLCONF = "api.urls"
WSGI_APPLICATION = "api.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "replays.pages.context.page_context",
            ],
        },
    },
]

# Database: one URL, four roles ---------------------------------------------------------------

DATABASE_URL = _setting("PAIPU_DATABASE_URL")
DATABASE_SOURCE = (
    "environment"
    if env.str("PAIPU_DATABASE_URL", default="")
    else ("embedded" if DATABASE_URL else "none")
)
DATABASE_POOL_MAX = env.int("PAIPU_DATABASE_POOL_MAX", default=0)


def _database(alias: str) -> dict[str, Any]:
    """One alias: a login of its own where PAIPU_<ALIAS>_DATABASE_URL gives one, else the shared."""
    name = (
        "PAIPU_WRITER_DATABASE_URL" if alias == "default" else f"PAIPU_{alias.upper()}_DATABASE_URL"
    )
    own = env.str(name, default="")
    return database_settings(
        url=own or DATABASE_URL or f"dbname=paipu host={DATA_DIR / 'run'}",
        role=None if own else ROLES[alias],
        pool_max=DATABASE_POOL_MAX,
    )


DATABASES = {alias: _database(alias) for alias in ROLES}
DATABASE_ROUTERS = ["api.databases.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Sign-in -------------------------------------------------------------------------------------

AUTH_USER_MODEL = "records.Account"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "replays:sign-in"
LOGIN_REDIRECT_URL = "replays:home"
SESSION_ENGINE = "api.sessions"
TOKEN_DAYS = env.int("PAIPU_TOKEN_DAYS", default=30)  # until a sign-in's token expires
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "api.throttling.address_of"
AXES_LOCKOUT_CALLABLE = "api.handlers.locked_out"

# Pages ---------------------------------------------------------------------------------------

# Scripts and styles are files of ours; nothing inline, nothing from elsewhere, in no frame.
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": ("'none'",),
        "script-src": ("'self'",),
        "style-src": ("'self'",),
        "img-src": ("'self'",),
        "connect-src": ("'self'",),
        "form-action": ("'self'",),
        "base-uri": ("'none'",),
        "frame-ancestors": ("'none'",),
    },
}

# REST API ------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_SCHEMA_CLASS": "api.schema.OperationSchema",
    "DEFAULT_RENDERER_CLASSES": ["api.parsers.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.JsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.auth.Bearer", "api.auth.SessionCookie"],
    "DEFAULT_PERMISSION_CLASSES": ["api.access.MayAsk"],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttling.PerMinute"],
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "api.errors.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
    # X-Forwarded-For is believed as far as there are proxies of ours, so that nobody escapes the
    # limits by writing one.
    "NUM_PROXIES": env.int("PAIPU_PROXIES", default=0),
}
# Pages of other origins (https://app.example, or * for all) may ask with a token; never with the
# cookie of a session, for that would let them act as whoever is signed in.
_CORS_ORIGINS = env.list("PAIPU_CORS_ORIGINS", default=[])
CORS_ALLOW_ALL_ORIGINS = "*" in _CORS_ORIGINS
CORS_ALLOWED_ORIGINS = [origin for origin in _CORS_ORIGINS if origin != "*"]
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = [
    "accept",
    "accept-language",
    "authorization",
    "content-encoding",
    "content-type",
    "idempotency-key",
    "if-match",
    "last-event-id",
]
CORS_EXPOSE_HEADERS = [
    "Content-Disposition",
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
]
CORS_PREFLIGHT_MAX_AGE = 7200
TOKEN_REQUESTS_PER_MINUTE = env.int("PAIPU_TOKEN_REQUESTS_PER_MINUTE", default=30_000)
ACCOUNT_REQUESTS_PER_MINUTE = env.int("PAIPU_ACCOUNT_REQUESTS_PER_MINUTE", default=60_000)
ADDRESS_REQUESTS_PER_MINUTE = env.int("PAIPU_ADDRESS_REQUESTS_PER_MINUTE", default=600)
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "paipu",
    "DESCRIPTION": (
        "An event-sourced game record service for Chinese regional mahjong. "
        "How to begin, what holds everywhere, and pages on single things: [the guide](/docs/)."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "LICENSE": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    "SERVERS": [{"url": "/", "description": "The service that serves this document."}],
    "POSTPROCESSING_HOOKS": [
        "api.schema.add_components",
        "api.webhooks.document.add_webhooks",
    ],
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Operations are folded by subject and found by a field: all open at once take seconds to draw.
    "SWAGGER_UI_SETTINGS": {
        "deepLinking": True,
        "docExpansion": "none",
        "defaultModelsExpandDepth": -1,
        "filter": True,
    },
    "REDOC_DIST": "SIDECAR",
}
# A hand is a few kilobytes; nothing that is sent as one body needs more than this many bytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000

# Webhooks ------------------------------------------------------------------------------------

# Hosts and networks that webhooks may be sent to besides public addresses, also without TLS.
WEBHOOK_ALLOW = env.list("PAIPU_WEBHOOK_ALLOW", default=[])
# Certificate authorities of receivers, as a PEM file; none: those of the system.
WEBHOOK_CA_FILE = env.str("PAIPU_WEBHOOK_CA_FILE", default="")
WEBHOOK_KEEP_DAYS = env.int("PAIPU_WEBHOOK_KEEP_DAYS", default=30)
# How many workers may be sending at one moment, each up to sixteen requests at once.
WEBHOOK_WORKERS = env.int("PAIPU_WEBHOOK_WORKERS", default=1)

# Live streams --------------------------------------------------------------------------------

STREAMS_PER_CALLER = env.int("PAIPU_STREAMS_PER_CALLER", default=50)  # at once, of each process
STREAM_TURN_MS = 100  # between two readings of what is new
STREAM_HEARTBEAT_S = 15.0
STREAM_ASK_S = 60.0  # how often each stream is asked whether it may still be sent
STREAM_STALLED_S = 60.0  # a client that has taken nothing for so long has gone

# Broker and workers --------------------------------------------------------------------------

BROKER_URL = _setting("PAIPU_BROKER_URL")
CELERY_BROKER_URL = BROKER_URL or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # a poisonous task would be queued again for ever
CELERY_TASK_TIME_LIMIT = 120  # seconds; below the visibility timeout, so no task runs twice at once
CELERY_TASK_SOFT_TIME_LIMIT = 100
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10  # seconds
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    # Without these two, a task of a killed worker comes back minutes late: the transport looks for
    # such tasks only on every tenth call of a ten-second timer.
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    # A request must never hang because the broker's host is gone.
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
}
if CELERY_BROKER_URL.startswith(("amqp", "pyamqp", "memory")):
    CELERY_BROKER_TRANSPORT_OPTIONS = {}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TIMEZONE = "UTC"

CACHE_URL = _setting("PAIPU_CACHE_URL")
CACHES = {"default": env.cache_url_config(CACHE_URL or "locmemcache://")}
if CACHES["default"]["BACKEND"].endswith("RedisCache"):
    # No request may hang because the cache's host is gone; without it limits are not kept.
    CACHES["default"].setdefault("OPTIONS", {}).update(
        socket_timeout=0.5, socket_connect_timeout=0.5
    )

# Language and time ---------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files --------------------------------------------------------------------------------

STATIC_URL = "static/"
# Outside production the files are served from the packages themselves: nothing to collect first.
STATIC_ROOT = (
    Path(env.str("PAIPU_STATIC_ROOT", default="") or BASE_DIR / "staticfiles")
    if PRODUCTION
    else None
)
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = DEBUG
if PRODUCTION:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

# Production ----------------------------------------------------------------------------------

LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING = logging_settings(json_lines=PRODUCTION, level=env.str("PAIPU_LOG_LEVEL", default="INFO"))

if PRODUCTION:
    _missing = [
        name
        for name, value in (
            ("PAIPU_SECRET_KEY", "" if SECRET_KEY == _DEVELOPMENT_SECRET else SECRET_KEY),
            ("PAIPU_CHECKPOINT_KEY", CHECKPOINT_KEY),
            ("PAIPU_DATABASE_URL", DATABASE_URL),
            ("PAIPU_BROKER_URL", BROKER_URL),
            ("PAIPU_ALLOWED_HOSTS", ALLOWED_HOSTS),
        )
        if not value
    ]
    if _missing:
        raise ImproperlyConfigured(f"PAIPU_MODE=production needs {', '.join(_missing)}.")
    if DEBUG:
        raise ImproperlyConfigured("PAIPU_DEBUG may not be set with PAIPU_MODE=production.")
    if len(SECRET_KEY) < 32:
        raise ImproperlyConfigured("PAIPU_SECRET_KEY is shorter than 32 characters.")
    if len(_decoded(CHECKPOINT_KEY)) != 32:
        raise ImproperlyConfigured("PAIPU_CHECKPOINT_KEY is not the base64 of 32 bytes.")
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = env.int("PAIPU_HSTS_SECONDS", default=3600)
    SECURE_SSL_REDIRECT = env.bool("PAIPU_SSL_REDIRECT", default=False)
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
