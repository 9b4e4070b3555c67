"""Providers that understate usage, quote the key or send unusable replies: each ends in a clear cause."""

import json
import tracemalloc
from typing import Any

import pytest
from asking import KEY, QUICK, Kept, answer, ask, texts
from timed import ask as ask_timed
from timed import connect

from karat.core.errors import SetupError
from karat.core.flow import Completion, Failed, Reply
from karat.core.types import UNCOUNTED
from karat.models import Budget, Price
from karat.models.secrets import Mask
from karat.models.transport import Response
from provider import Provider, scripted
from provider import Reply as Said
from simulated import simulate

MB = 1_000_000
KINDS = ("openai", "anthropic", "compatible")
ESCAPED = "".join(f"\\u{ord(character):04x}" for character in KEY)
FORMS = {
    "plain": KEY,
    "escaped": ESCAPED,
    "in capitals": ESCAPED.upper().replace("\\U", "\\u"),
    "slash": KEY.replace("/", "\\/"),
    "twice": ESCAPED.replace("\\", "\\\\"),
    "for HTML": "".join(f"&#{ord(character)};" for character in KEY),
    "for URLs": "".join(f"%{ord(character):02X}" for character in KEY),
}


def completion(kind: str, text: str) -> bytes:
    """A good reply whose text stands in it just as it is given here."""
    frame: dict[str, Any] = {"choices": [{"message": {"content": "TEXT"}}], "usage": None}
    if kind == "anthropic":
        frame = {"content": [{"type": "text", "text": "TEXT"}], "usage": None}
    return json.dumps(frame).replace("TEXT", text).encode()


@pytest.mark.parametrize("kind", KINDS)
def test_budget_holds_without_token_counts(kind: str) -> None:
    """A call costs more than a cent at most: of forty no more than nine are sent for ten cents."""
    budget = Budget(0.10)
    with Provider(lambda _: Said("ok", counted=False)) as provider:
        asks = [ask(str(number)) for number in range(40)]
        replies = answer(provider, asks, kind=kind, key=KEY, budget=budget, price=Price(1.0, 10.0, 1.0))
        sent = len(provider.calls)
    assert 1 <= sent <= 9
    good = [reply for reply in replies if isinstance(reply, Completion)]
    assert [reply.text for reply in good] == ["ok"] * sent
    assert all(reply.spent == UNCOUNTED for reply in good)
    assert {reply.cause for reply in replies if isinstance(reply, Failed)} == {"over_budget"}
    assert 0.01024 * sent < budget.spent <= 0.10


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", [400, 401, 503])
def test_no_error_quotes_the_key(status: int, form: str) -> None:
    """In setup errors, refusals and permanent faults."""
    error = json.dumps({"error": {"message": "bad key KEY. context too long"}}).replace("KEY", FORMS[form])
    with Provider(scripted([Said(status=status, raw=error.encode())])) as provider:
        if status == 400:
            told = str(answer(provider, [ask()], key=KEY))
        else:
            with pytest.raises(SetupError) as caught:
                answer(provider, [ask()], key=KEY)
            told = str(caught.value)
    assert "bad key ***. context" in told


def test_key_at_the_cut_of_an_error_page_is_not_shown_in_part() -> None:
    page = ("x" * 290 + KEY + "y" * 300).encode()
    with Provider(scripted([Said(status=401, raw=page)])) as provider, pytest.raises(SetupError) as caught:
        answer(provider, [ask()], key=KEY)
    assert KEY[:6] not in str(caught.value)
    assert "x***" in str(caught.value)


@pytest.mark.parametrize("form", ["plain", "for URLs"])
def test_a_redirect_names_its_host_and_neither_key_nor_password(form: str) -> None:
    place = f"http://me:{FORMS[form]}@other.invalid:8080/v1/{FORMS[form]}?key={FORMS[form]}"
    moved = Said(status=302, raw=b"", headers={"location": place})
    with Provider(scripted([moved])) as provider, pytest.raises(SetupError) as caught:
        answer(provider, [ask()], key=KEY)
    assert str(caught.value).endswith(
        "returned status 302: no reason given; it redirects to http://other.invalid:8080/v1/***, which karat does not follow"
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_reply_that_quotes_the_key_is_read_and_kept_without_it(kind: str, form: str) -> None:
    cache = Kept()
    with Provider(scripted([Said(raw=completion(kind, f"Yes, {FORMS[form]}!"))])) as provider:
        assert texts(answer(provider, [ask()], kind=kind, key=KEY, cache=cache)) == ["Yes, ***!"]
    assert [kept.text for kept in cache.known.values()] == ["Yes, ***!"]


def test_key_split_over_parts_is_masked() -> None:
    parts = [{"type": "text", "text": "Yes " + KEY[:9]}, {"type": "text", "text": KEY[9:]}]
    for kind, body in (
        ("openai", {"choices": [{"message": {"content": parts}}]}),
        ("anthropic", {"content": parts}),
    ):
        with Provider(scripted([Said(raw=json.dumps(body).encode())])) as provider:
            assert texts(answer(provider, [ask()], kind=kind, key=KEY)) == ["Yes ***"]


def test_tokens_that_spell_the_key_are_not_kept() -> None:
    tokens = [{"token": part, "logprob": -0.1} for part in (KEY[:5], KEY[5:])]
    body = {"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": tokens}}]}
    with Provider(scripted([Said(raw=json.dumps(body).encode())])) as provider:
        reply = answer(provider, [ask()], key=KEY)[0]
    assert isinstance(reply, Completion)
    assert (reply.text, reply.tokens) == ("Yes", None)


@pytest.mark.parametrize("key", ["anything", "not-a-real-key", "none"])
def test_placeholder_key_is_not_masked(key: str) -> None:
    with Provider(lambda _: f"Yes, {key}!") as provider:
        assert texts(answer(provider, [ask()], key=key)) == [f"Yes, {key}!"]


def test_text_without_the_key_is_unchanged() -> None:
    """Also where it begins like one; a stand-in for a key is not looked for."""
    for text in ("sk-very-secret", "100 % of a\\/b and \\u0041 & &#65;", ""):
        assert Mask(KEY).text(text) == text
        assert Mask(KEY).body(text.encode()) == text.encode()
    assert Mask("none").text("none of these") == "none of these"
    assert Mask(None).text(KEY) == KEY


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_half_a_surrogate_is_replaced_and_the_reply_is_read_at_once(kind: str) -> None:
    with Provider(scripted([Said(raw=completion(kind, r"Yes \ud800!"))])) as provider:
        assert texts(answer(provider, [ask()], kind=kind, key=KEY)) == ["Yes �!"]
        assert len(provider.calls) == 1


class Junk:
    """A transport that brings a megabyte of no completion every time."""

    async def send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> Response:
        return Response(200, {}, bytes(MB))

    async def close(self) -> None: ...


def test_fault_does_not_keep_the_body_in_memory() -> None:
    """Neither by its traceback nor by that of its causes."""

    async def work() -> Reply:
        return await ask_timed(connect(Junk(), patience=QUICK))

    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with pytest.raises(SetupError, match="returned status 200") as caught:
            simulate(work())
        assert tracemalloc.get_traced_memory()[0] - before < MB
    finally:
        tracemalloc.stop()
    assert "the body cannot be read" in str(caught.value)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Said(status=500), "m returned no completion: status 500: status 500"),
        (Said(raw=b"<html>"), "m returned no completion: "),
        (Said(drop=True), "m cannot be reached: no reply from "),
    ],
)
def test_unreachable_means_that_no_response_was_sent(fault: Said, told: str) -> None:
    with Provider(scripted([fault])) as provider, pytest.raises(SetupError) as caught:
        answer(provider, [ask()])
    assert str(caught.value).startswith(told)
    assert "\n" not in str(caught.value)
