"""What several test packages share: servers, databases, processes."""
