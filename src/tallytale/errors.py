"""The errors a user can mend. Each says what is wrong and what to do; the doors print it without a traceback."""

SHOWN = 72  # columns of the offending line that are shown around the caret


class TallyTaleError(Exception):
    """Root of everything a user can mend."""


class EquationError(TallyTaleError):
    """Equations that cannot be read or solved; where the place is known, it is shown with a caret."""

    def __init__(self, message: str, *, text: str = "", position: int | None = None) -> None:
        self.message = message
        self.text = text
        self.position = position
        place = "" if position is None else "\n" + pointed(text, position)
        super().__init__(message + place)


class KnowledgeError(TallyTaleError):
    """A knowledge file that cannot be read, an unknown topic, or facts that contradict each other."""


class CorpusError(TallyTaleError):
    """A record that is not a problem."""


class SlotError(TallyTaleError):
    """A text that cannot be refilled with the values at hand."""


class ConfigError(TallyTaleError):
    """A configuration with a setting that does not exist or cannot be."""


class RequestError(TallyTaleError):
    """A request for problems that nobody could fulfil."""


def pointed(text: str, position: int) -> str:
    """The line of `text` that holds `position`, cut to a readable width, with a caret under the place.

    >>> print(pointed("2x + * 4 = 8", 5))
      2x + * 4 = 8
           ^
    """
    position = min(position, len(text))
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    column = position - start
    left = max(0, column - SHOWN // 2)
    shown = line[left : left + SHOWN].replace("\t", " ")
    return f"  {shown}\n  {' ' * (column - left)}^"
