"""The read side: everything here is derived from the log and may be dropped and rebuilt."""
