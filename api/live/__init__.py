"""Live streams: server-sent events, a thousand at once in a process that also serves requests.

Reading order: ``messages`` (what goes over the line), ``streams`` (what one stream is, and what a
source of messages is), ``games``, ``news`` and ``imports`` (the sources), ``hub`` (who follows, and
what they are sent), ``operation`` (what a request for a stream is), ``response`` and ``worker``
(how its connection leaves the threads of the web server).
"""
