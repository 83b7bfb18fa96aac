"""What a file is for, told from its path alone."""

import re
from typing import Literal

Role = Literal["code", "aside", "test", "setup", "other"]

_SUFFIXES = """
py pyi pyw pyx js jsx mjs cjs ts tsx mts cts go rs php phtml cs java c h cc cpp cxx hh hpp hxx rb
rake kt kts swift scala sc sh bash zsh vue svelte lua zig ex exs erl hs ml mli clj cljs dart m mm r
jl pl pm makefile rakefile sql fs fsx vb groovy nim cr d sol proto graphql el lisp scm tf cu asm s
f90 pas ps1 elm
"""
_CODE = frozenset(_SUFFIXES.split())
_PROSE = frozenset({"markdown"})
_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|[\w.-]*Tests?|[\w-]*-tests?|__tests__|testdata|test[-_]?fixtures|fixtures|e2e"
    r"|__mocks__|mocks?)/"
    r"|(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*[_.-](?:tests?|spec)\.[^/]*)$"
    r"|(?:^|/)[^/]*[a-z0-9](?:Tests?|Spec|TestCase)\.[a-z]+$"
    r"|(?:^|/)[^/]*\.(?:Tests?|Specs|UnitTests|IntegrationTests)[./]"
)
_ASIDE = re.compile(
    r"(?:^|/)(?:examples?|samples?|demos?|docs?|benchmarks?|bench|benches|fuzz|_?vendor|vendored|bundled"
    r"|third[-_]?party|3rd[-_]?party|extern|node_modules|dist|generated|site-packages)/"
    # What is built or run beside the code, unless it is a part of the code that is called so.
    r"|^(?:(?!src/|lib/|pkg/|internal/|app/)[^/]+/)?(?:scripts|build|external|deps)/"
    r"|\.d\.[cm]?ts$|[.-]min\.\w+$|\.(?:generated|designer|g|pb)\.\w+$|_pb2(?:_grpc)?\.py$|_generated\.\w+$"
    r"|(?:^|/)[^/]*(?:Benchmarks?|Performance[Tt]ests?)[/.]",
    re.IGNORECASE,
)
# How a project is built, tested and released.
_SETUP = re.compile(
    r"(?:^|/)(?:CMakeLists\.txt|GNUmakefile|Makefile\.\w+|Dockerfile|package\.json|composer\.json|pom\.xml)$"
    r"|\.(?:toml|ya?ml|cfg|ini|cmake|mill|gradle|props|targets|csproj|podspec|gemspec|bazel)$"
)


def role_of(path: str, language: str = "") -> Role:
    """Return what a file is for; ``language`` is what the index parses it as, if it does.

    ``test``: tests and what they rest on; ``aside``: code that is not the project's own work, such as
    examples, benchmarks, generated or vendored code; ``setup``: files that configure building, tests and
    releases; ``other``: what else is no code.
    """
    is_parsed = bool(language) and language not in _PROSE
    if not is_parsed and path.rpartition("/")[2].rpartition(".")[2].lower() not in _CODE:
        return "setup" if _SETUP.search(path) else "other"
    if _TEST.search(path):
        return "test"
    return "aside" if _ASIDE.search(path) else "code"
