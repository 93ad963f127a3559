"""The pages about what is in the API's own tables: tokens, webhooks, imports, one's account.

They look and work as those of ``replays.pages`` do, where their templates are too.
"""
