"""The exceptions."""
