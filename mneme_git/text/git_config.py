"""The syntax of git's configuration files, as ``git config`` reads it; includes are not followed."""

from collections.abc import Callable

from msgspec import Struct

from mneme_git.errors import InvalidInput

_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "\\": "\\", '"': '"'}
_BOM = "\ufeff"


class Setting(Struct, frozen=True):
    """One line: ``key`` is ``section.name`` or ``section.subsection.name``, section and name in lower case.

    ``value`` is None for a name without ``=``, which git reads as true.
    """

    key: str
    value: str | None
    line: int


def parse_git_config(text: str) -> tuple[Setting, ...]:
    """Return the settings of a configuration file, in the order they stand there.

    Raises:
        InvalidInput: git would not read it; the message names the line.
    """
    reader = _Reader(text.removeprefix(_BOM).replace("\r\n", "\n"))
    found: list[Setting] = []
    section = ""
    while (char := reader.skip_blank()) != "":
        if char in "#;":
            reader.skip_line()
        elif char == "[":
            section = reader.section()
        else:
            found.append(reader.setting(section))
    return tuple(found)


def truth(value: str | None) -> bool | None:
    """Return what git takes ``value`` for as a boolean, or None if it is not one."""
    if value is None:
        return True
    lowered = value.lower()
    if lowered in {"true", "yes", "on"}:
        return True
    if lowered in {"false", "no", "off", ""}:
        return False
    return bool(int(lowered)) if lowered.isascii() and lowered.isdecimal() else None


def _is_key(char: str) -> bool:
    return char == "-" or (char.isascii() and char.isalnum())


class _Reader:
    """A position in the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def skip_blank(self) -> str:
        """Move to the next character that is no white space and return it, without taking it."""
        while (char := self._peek()) and char.isspace():
            self._take()
        return char

    def skip_line(self) -> None:
        """Move behind the end of the line."""
        while (char := self._take()) and char != "\n":
            pass

    def section(self) -> str:
        """Read ``[section]``, ``[section "sub"]`` or the old ``[section.sub]``."""
        self._take()
        name = self._while(lambda char: _is_key(char) or char == ".").lower()
        self._while(lambda char: char in " \t")
        if name and self._peek() == '"':
            name = f"{name}.{self._subsection()}"
        if not name or self._take() != "]":
            raise self._error("bad section header")
        return name

    def setting(self, section: str) -> Setting:
        """Read ``name``, ``name = value`` and the value's continuation lines."""
        line = self._line
        name = self._while(_is_key).lower()
        if not name[:1].isalpha():
            raise self._error("bad setting name")
        self._while(lambda char: char in " \t")
        key = f"{section}.{name}" if section else name
        follows = self._peek()
        if follows == "=":
            self._take()
            return Setting(key, self._value(), line)
        if follows not in {"", "\n"}:
            raise self._error("bad setting: '=' expected")
        return Setting(key, None, line)

    def _subsection(self) -> str:
        self._take()
        read = ""
        while (char := self._take()) != '"':
            char = self._take() if char == "\\" else char
            if char in {"", "\n"}:
                raise self._error("bad section header")
            read += char
        return read

    def _value(self) -> str:
        read, kept, quoted = "", 0, False
        self._while(lambda char: char in " \t")
        while (char := self._take()) not in {"", "\n"}:
            if char in "#;" and not quoted:
                self.skip_line()
                return read[:kept]
            if char == '"':
                quoted = not quoted
                kept = len(read)
                continue
            read += self._escape() if char == "\\" else char
            if quoted or char == "\\" or not char.isspace():
                kept = len(read)
        if quoted:
            raise self._error("unclosed quote", back=char == "\n")
        return read[:kept]

    def _escape(self) -> str:
        char = self._take()
        if char in {"\n", ""}:
            return ""
        if char not in _ESCAPES:
            raise self._error("bad escape", back=False)
        return _ESCAPES[char]

    def _while(self, holds: Callable[[str], bool]) -> str:
        start = self._at
        while (char := self._peek()) and holds(char):
            self._take()
        return self._text[start : self._at]

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        char = self._peek()
        self._at += len(char)
        self._line += char == "\n"
        return char

    def _error(self, what: str, *, back: bool = False) -> InvalidInput:
        line = self._line - back
        return InvalidInput(f"line {line} of a git configuration file: {what}", hint="see `git help config`")
