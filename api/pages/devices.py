"""What a browser calls itself, in two words: enough for a person to know their own again."""

from __future__ import annotations

from typing import Final

BROWSERS: Final = (
    ("MicroMessenger", "WeChat 微信"),
    ("HuaweiBrowser", "Huawei Browser"),
    ("MiuiBrowser", "Mi Browser"),
    ("SamsungBrowser", "Samsung Internet"),
    ("QQBrowser", "QQ Browser"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
"""Marks of browsers. Many name others besides themselves, so the first that is found is meant."""
SYSTEMS: Final = (
    ("HarmonyOS", "HarmonyOS"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_name(agent: str) -> str:
    """The browser and what it runs on; empty where neither is known."""
    found = [
        next((name for mark, name in marks if mark in agent), "") for marks in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, found))
