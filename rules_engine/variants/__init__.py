"""One folder a variant; ``registry`` finds them."""
