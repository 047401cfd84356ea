"""Translation of messages; there are no translations."""


def _(msg: str) -> str:
    return msg
