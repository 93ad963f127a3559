"""Games as lines of JSON: out of this service, into it, and between two of them."""
