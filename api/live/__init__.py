"""Live streams: server-sent events, a thousand at once in a process that also serves requests.

Reading order: ``messages`` (what goes over the line), ``streams`` (what one stream is, and what a
source of messages is), ``games`` (the events of a game), ``hub`` (who follows, and what they are
sent), ``response`` and ``worker`` (how a connection leaves the threads of the web server).
"""
