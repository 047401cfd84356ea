"""The types."""
