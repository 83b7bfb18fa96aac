"""The discovery model over HTTP: what is sent, when, and what an answer can do."""

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mneme_git.app import discovery
from mneme_git.app.discovery import asker
from mneme_git.store.config import Settings
from mneme_indexer.discovery import ModelFailed

TASK = "the total of a cart is wrong"
CODE = "class Cart:\n    def total(self):\n        return cart_sum(self)\n\n\ndef cart_sum(cart):\n    return 0\n"


class Router:
    """A server on the loopback; ``answer`` makes a status and a body of a request's body."""

    def __init__(self):
        self.seen = []
        self.answer = lambda asked: (200, "")
        self.seconds = 0.0
        self.drip = False
        self.released = threading.Event()
        router = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                router.seen.append((self.path, dict(self.headers), json.loads(body)))
                status, text = router.answer(json.loads(body))
                router.released.wait(router.seconds)
                self.send_response(status)
                self.end_headers()
                try:
                    for byte in b"x" * 100 * router.drip:
                        self.wfile.write(bytes([byte]))
                        if router.released.wait(0.05):
                            break
                    self.wfile.write(text.encode())
                except OSError:
                    return

            def log_message(self, *_):
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def router():
    router = Router()
    thread = threading.Thread(target=router.server.serve_forever, args=(0.02,))
    thread.start()
    yield router
    router.released.set()
    router.server.shutdown()
    thread.join()
    router.server.server_close()


@pytest.fixture
def project(repo):
    repo.write("shop/cart.py", CODE)
    repo.commit_all("a cart")
    return repo


@contextmanager
def no_connections(monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was opened")

    with monkeypatch.context() as patch:
        patch.setattr(discovery, "_connection", refuse)
        yield


def of_model(text):
    return 200, json.dumps({"content": [{"type": "text", "text": text}]})


def numbers(asked):
    lines = asked["messages"][0]["content"].partition("CANDIDATES:\n")[2].splitlines()
    return [int(line.partition(".")[0]) for line in lines if not line.startswith("   ")]


def keeping(choose, fence="{}"):
    """Return an answer that keeps the numbers that ``choose`` makes of all, and drops the rest."""

    def answer(asked):
        every = numbers(asked)
        keep = choose(every)
        return of_model(fence.format(json.dumps({"keep": keep, "drop": sorted(set(every) - set(keep))})))

    return answer


def configure(project, router, model="small"):
    project.git("config", "--global", "mneme.discoveryModel", model)
    project.git("config", "--global", "mneme.routerUrl", router.url + "/some/path")


def ask(project, *words, **environment):
    ran = project.mneme("context", TASK, "--json", *words, **environment)
    assert ran.code == 0, ran.err
    reply = json.loads(ran.out)
    return [(row["name"], row["file"]) for row in reply["symbols"]], reply["fallback_reason"], ran.err


def test_without_a_model_nothing_is_asked(project, router, monkeypatch):
    project.git("config", "--global", "mneme.routerUrl", router.url)
    with no_connections(monkeypatch):
        _, reason, err = ask(project)
    assert (reason, err, router.seen) == ("no-discovery-model-configured", "", [])


def test_the_request_is_as_the_router_expects_it(project, router):
    configure(project, router)
    router.answer = keeping(lambda every: every)
    ranked, reason, _ = ask(project, "--hint", "shop")
    assert reason is None
    ((path, headers, body),) = router.seen
    assert path == "/v1/messages"
    sent = {name.lower(): value for name, value in headers.items()}
    assert sent["content-type"] == "application/json"
    assert sent["authorization"] == "Bearer oc-discovery-sentinel-do-not-store"
    assert sent["anthropic-version"] == "2023-06-01"
    assert (body["model"], body["max_tokens"], body["stream"]) == ("small", 256, False)
    assert set(body) == {"model", "messages", "system", "max_tokens", "stream"}
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert body["messages"][0]["content"].startswith(f"TASK: {TASK}\nHINT: shop\n\nCANDIDATES:\n1. ")
    assert numbers(body) == list(range(1, len(ranked) + 1))


@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```"])
def test_the_model_removes_what_it_drops(project, router, fence):
    ranked, _, _ = ask(project)
    assert len(ranked) > 1
    configure(project, router)
    router.answer = keeping(lambda every: every[1:], fence)
    assert ask(project)[:2] == (ranked[1:], None)


def test_an_order_of_the_model_s_is_not_taken(project, router):
    ranked, _, _ = ask(project)
    configure(project, router)
    router.answer = keeping(lambda every: every[::-1])
    assert ask(project)[:2] == (ranked, None)


@pytest.mark.parametrize(
    "answer",
    [
        keeping(lambda _: []),
        keeping(lambda every: [every[0]] * 3),
        keeping(lambda every: [*every, 99]),
        lambda _: of_model('{"keep": [1]}'),
        lambda _: of_model("I would keep all."),
        lambda _: (200, "{"),
        lambda _: (200, "[" * 100_000),
        lambda _: (200, '{"content": []}'),
        lambda _: (200, '{"content": [{"text": 1}]}'),
        lambda _: (200, ""),
        lambda _: (500, "no\nmodel"),
        lambda _: (404, "x" * 100_000),
        lambda _: (302, ""),
    ],
)
def test_any_other_answer_removes_nothing_and_is_told(project, router, answer):
    ranked, _, _ = ask(project)
    configure(project, router)
    router.answer = answer
    found, reason, err = ask(project)
    assert found == ranked
    assert reason.startswith("discovery-model-unavailable: ")
    assert len(reason) < 300
    assert reason in err
    assert len(router.seen) == 1


def test_a_status_is_told_with_its_body(project, router):
    configure(project, router)
    router.answer = lambda _: (503, "no such\nmodel")
    assert ask(project)[1] == "discovery-model-unavailable: openclaude router 503: no such model"


def test_where_nobody_listens_the_ranking_stands(project, router):
    configure(project, router)
    router.server.socket.close()
    assert ask(project)[1] == "discovery-model-unavailable: fetch failed"


@pytest.mark.parametrize("drip", [False, True])
def test_the_time_limit_is_for_all_of_the_exchange(router, monkeypatch, drip):
    monkeypatch.setattr(discovery, "_SECONDS", 0.5)
    router.seconds, router.drip = (0.0, True) if drip else (30.0, False)
    began = time.monotonic()
    with pytest.raises(ModelFailed, match=r"\Adiscovery model timed out after 4000ms\Z"):
        asker(Settings(discovery_model="small", router_url=router.url))("system", "user")
    assert time.monotonic() - began < 2.0


def test_the_model_can_be_left_out_of_one_question(project, router):
    configure(project, router)
    assert ask(project, "--no-model")[1:] == (None, "")
    assert router.seen == []


@pytest.mark.parametrize("place", ["--local", "--worktree"])
def test_a_repository_cannot_make_mneme_ask(project, router, monkeypatch, place):
    project.git("config", "extensions.worktreeConfig", "true")
    project.git("config", place, "mneme.discoveryModel", "small")
    project.git("config", place, "mneme.routerUrl", router.url)
    project.write(".mneme/config", f"[mneme]\n\tdiscoveryModel = small\n\trouterUrl = {router.url}\n")
    with no_connections(monkeypatch):
        assert ask(project)[1] == "no-discovery-model-configured"
    assert router.seen == []


def test_a_repository_cannot_turn_the_user_s_model_to_its_own_address(project, router):
    configure(project, router)
    router.answer = keeping(lambda every: every)
    project.git("config", "mneme.routerUrl", "http://127.0.0.1:1")
    project.git("config", "mneme.discoveryModel", "dear")
    assert ask(project)[1] is None
    assert router.seen[0][2]["model"] == "small"


def test_the_environment_is_the_user_s_word_too(project, router):
    router.answer = keeping(lambda every: every)
    assert ask(project, MNEME_DISCOVERY_MODEL="other", MNEME_ROUTER_URL=router.url)[1] is None
    assert router.seen[0][2]["model"] == "other"


@pytest.mark.parametrize(
    "model", ["claude-opus-4", "ollama-local:claude-opus-4-1", "Claude-Opus-4", "x/claude-opus-4"]
)
def test_opus_is_refused_under_any_prefix(project, router, model):
    configure(project, router, model)
    reason = ask(project)[1]
    assert reason == (
        f"discovery-model-unavailable: '{model}' cannot be the discovery model: Opus is excluded from this role"
    )
    assert router.seen == []


@pytest.mark.parametrize(
    "address",
    [
        "ftp://x",
        "127.0.0.1:1",
        "http://",
        "http://a:b@127.0.0.1:1",
        "http://[::1",
        "http://h:x",
        "http://a b",
    ],
)
def test_what_is_no_address_of_a_router_is_told(address):
    with pytest.raises(ModelFailed, match="no http or https address"):
        asker(Settings(discovery_model="small", router_url=address))("system", "user")


def test_proxies_of_the_environment_are_not_used(router, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    router.answer = lambda _: of_model("yes")
    assert asker(Settings(discovery_model="small", router_url=router.url))("system", "user") == "yes"


def test_the_status_names_the_model(project, router):
    project.mneme("index", "build")
    configure(project, router)
    shown = json.loads(project.mneme("status", "--json").out)
    assert shown["code_index"]["discovery_model"] == "small"
