"""The client against a provider on the loopback: faults, refusals, negotiation, cache and keys."""

import asyncio
from typing import Any

import pytest
from asking import KEY, QUICK, Kept, answer, ask, texts
from msgspec import structs
from timed import Timed, connect, take
from timed import ask as ask_timed

from karat.core.errors import SetupError
from karat.core.flow import Completion, Failed, Reply
from karat.core.types import Spent
from karat.models import CallSettings, Client, Endpoint, HttpTransport, Parameters, Patience, Price
from karat.models.transport import TransportError
from provider import Call, Provider, scripted
from provider import Reply as Said
from simulated import simulate


@pytest.mark.parametrize("kind", ["openai", "anthropic", "compatible"])
@pytest.mark.parametrize(
    "fault",
    [
        Said(status=429, headers={"retry-after": "0"}),
        Said(status=500),
        Said(status=529, raw=b"overloaded"),
        Said(drop=True),
        Said(raw=b"<html>Sign in</html>"),
        Said(raw=b""),
    ],
    ids=["429", "500", "529", "dropped", "html", "empty"],
)
def test_temporary_fault_only_delays_the_reply(fault: Said, kind: str) -> None:
    with Provider(scripted([fault, "after all"])) as provider:
        assert texts(answer(provider, [ask()], kind=kind, key=KEY)) == ["after all"]
        assert len(provider.calls) == 2


def test_retry_after_is_honoured() -> None:
    """The endpoint says when to come back; that is longer than the usual wait here."""
    transport = Timed(lambda number: take(0, 200 if number else 429), headers={"retry-after": "60"})

    async def work() -> Reply:
        return await ask_timed(connect(transport, patience=QUICK))

    assert isinstance(simulate(work()), Completion)
    assert transport.started == [0, pytest.approx(60)]


def test_retries_are_bounded_and_end_as_unavailable() -> None:
    with Provider(scripted(["fine", Said(status=503, error={"message": "busy\nnow"})])) as provider:
        replies = answer(provider, [ask("a")], [ask("b")])
        assert replies[1] == Failed("unavailable", "status 503: busy now")
        assert len(provider.calls) == 1 + QUICK.attempts


@pytest.mark.parametrize("fault", [Said(status=500), Said(raw=b"<html>"), Said(drop=True)])
def test_endpoint_that_never_replied_is_a_setup_error(fault: Said) -> None:
    with Provider(scripted([fault])) as provider:
        with pytest.raises(SetupError) as caught:
            answer(provider, [ask()])
        assert len(provider.calls) == QUICK.attempts
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("status", [401, 402, 403, 404, 405])
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_authorisation_error_stops_the_run_with_the_endpoints_message(status: int, kind: str) -> None:
    """The message is one line, sent once, and the key is not in it even where the endpoint quotes it."""
    said = Said(status=status, error={"message": f"Incorrect API key:\n{KEY} is not known"})
    with Provider(scripted([said])) as provider:
        with pytest.raises(SetupError) as caught:
            answer(provider, [ask()], kind=kind, key=KEY)
        assert len(provider.calls) == 1
    message = str(caught.value)
    assert f"returned status {status}: Incorrect API key: *** is not known" in message
    assert "\n" not in message
    assert KEY not in message


def test_a_redirect_is_not_followed_with_the_key() -> None:
    """Where an endpoint points elsewhere the user is told, and nothing is sent there."""
    with Provider(scripted(["never"])) as elsewhere:
        moved = Said(status=307, raw=b"", headers={"location": f"{elsewhere.base_url}/chat/completions"})
        with Provider(scripted([moved])) as provider, pytest.raises(SetupError, match=elsewhere.base_url):
            answer(provider, [ask()], key=KEY)
        assert elsewhere.calls == []


def test_exhausted_quota_is_a_setup_error() -> None:
    error = {"message": "You exceeded your current quota", "code": "insufficient_quota"}
    with Provider(scripted([Said(status=429, error=error)])) as provider:
        with pytest.raises(SetupError, match="quota"):
            answer(provider, [ask()])
        assert len(provider.calls) == 1


def test_refused_connection_is_reported_at_once() -> None:
    with Provider(scripted(["x"])) as provider:
        gone = provider.base_url
    with pytest.raises(SetupError, match="is the endpoint running") as caught:
        answer(gone, [ask()])
    assert "\n" not in str(caught.value)


def test_refused_connection_is_not_retried() -> None:
    async def refuse_connection(_: int) -> int:
        raise TransportError("nobody is there", unreachable=True)

    async def work() -> Reply:
        return await ask_timed(connect(transport, patience=Patience()))

    transport = Timed(refuse_connection)
    with pytest.raises(SetupError, match="nobody is there"):
        simulate(work())
    assert transport.started == [0]


def test_endpoint_lost_later_is_unavailable() -> None:
    async def work() -> Reply:
        transport = HttpTransport(timeout=5)
        with Provider(scripted(["x"])) as provider:
            endpoint = Endpoint("compatible", provider.base_url, "m")
            client = Client(endpoint, Parameters(), transport, CallSettings(patience=QUICK))
            await client.answer((ask("a"),))
        async with transport:
            return (await client.answer((ask("b"),)))[0]

    reply = asyncio.run(work())
    assert isinstance(reply, Failed)
    assert reply.cause == "unavailable"


def refuse(field: str, message: str) -> Any:
    """Refuse a request that has the field, and answer any other."""

    def script(call: Call) -> Said:
        refused = field in call.body
        return Said(status=400, error={"message": message, "param": field}) if refused else Said("ok")

    return script


@pytest.mark.parametrize(
    ("field", "message", "parameters"),
    [
        ("temperature", "Unsupported value: 'temperature' does not support 0.0", Parameters()),
        ("max_tokens", "Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead.", Parameters()),
        ("logprobs", "logprobs are not supported", Parameters(logprobs=True)),
        ("seed", "Unrecognized request argument supplied: seed", Parameters(seed=3)),
        ("reasoning_effort", "Unrecognized argument: reasoning_effort", Parameters(reasoning_effort="low")),
        ("response_format", "response_format is unavailable now", Parameters(structured=True)),
        ("continue_final_message", "extra fields: continue_final_message", Parameters(prefill="on")),
    ],
)
def test_refused_parameter_is_dropped_once_for_all_calls(
    field: str, message: str, parameters: Parameters
) -> None:
    """One call finds out, the same call is sent again without it, later ones leave it out from the start."""
    asks = [
        structs.replace(one, prompt=structs.replace(one.prompt, schema={"type": "object"}))
        for one in (ask("a", opened="##"), ask("b", opened="##"))
    ]
    notices = list[str]()
    with Provider(refuse(field, message)) as provider:
        replies = answer(provider, asks[:1], asks[1:], parameters=parameters, notice=notices.append)
        calls = provider.calls
    assert texts(replies) == ["ok", "ok"]
    assert [field in call.body for call in calls] == [True, False, False]
    assert len(notices) == 1
    if field == "max_tokens":
        assert calls[-1].body["max_completion_tokens"] == 1024


def test_several_refusals_are_learnt_one_after_the_other() -> None:
    def script(call: Call) -> Said:
        for field in ("temperature", "seed"):
            if field in call.body:
                return Said(status=400, error={"message": f"{field} is not supported"})
        return Said("ok")

    with Provider(script) as provider:
        asked = [ask(str(number)) for number in range(8)]
        assert texts(answer(provider, asked, asked, parameters=Parameters(seed=1))) == ["ok"] * 16


def test_concurrent_calls_share_refused_parameters() -> None:
    """Calls that are refused at the same time give one notice."""
    notices = list[str]()
    with Provider(refuse("temperature", "temperature")) as provider:
        answer(provider, [ask(str(number)) for number in range(8)], notice=notices.append)
    assert notices == ["m: the endpoint does not accept temperature, so it is left out"]


def test_a_prefill_that_anthropic_refuses_is_folded() -> None:
    def script(call: Call) -> Said:
        last = call.body["messages"][-1]["role"]
        error = {"message": "This model does not support assistant message prefill."}
        return Said(status=400, error=error) if last == "assistant" else Said("ok")

    with Provider(script) as provider:
        assert texts(answer(provider, [ask(opened="##")], kind="anthropic", key=KEY)) == ["ok"]
        roles = [call.body["messages"][-1]["role"] for call in provider.calls]
    assert roles == ["assistant", "user"]


def test_any_other_400_rejects_the_request_alone() -> None:
    """The endpoint's words are the reason, the key is not in them, and the next call is sent."""
    refusal = Said(status=400, error={"message": f"too long for {KEY}"})
    with Provider(scripted([refusal, "ok"])) as provider:
        replies = answer(provider, [ask("a")], [ask("b")], key=KEY)
        assert len(provider.calls) == 2
    assert replies[0] == Failed("rejected", "too long for ***")
    assert texts(replies[1:]) == ["ok"]


@pytest.mark.parametrize(
    ("owner", "role"),
    [("vllm", "assistant"), ("llamacpp", "assistant"), ("sglang", "assistant"), ("library", "user")],
)
def test_prefill_depends_on_the_server(owner: str, role: str) -> None:
    """Every call of the first burst waits for that decision."""
    with Provider(scripted(["ok"]), owned_by=owner) as provider:
        answer(provider, [ask(str(number), opened="## Answers") for number in range(8)])
        assert {call.body["messages"][-1]["role"] for call in provider.calls} == {role}
        assert len(provider.calls) == 8


@pytest.mark.parametrize(("prefill", "role"), [("on", "assistant"), ("off", "user")])
def test_prefill_option_overrides_detection(prefill: Any, role: str) -> None:
    with Provider(scripted(["ok"]), owned_by="vllm" if prefill == "off" else "else") as provider:
        answer(provider, [ask(opened="## Answers")], parameters=Parameters(prefill=prefill))
        assert provider.calls[0].body["messages"][-1]["role"] == role


def test_the_same_ask_is_sent_once_and_another_attempt_is_another_ask() -> None:
    with Provider(scripted(["one", "two"])) as provider:
        cache = Kept()
        first = answer(provider, [ask()], [ask()], [ask(attempt=2)], cache=cache)
        again = answer(provider, [ask()], [ask(attempt=2)], cache=cache)
        assert len(provider.calls) == 2
    assert texts(first) == ["one", "one", "two"]
    assert texts(again) == ["one", "two"]


def test_faults_and_rejections_are_not_kept() -> None:
    with Provider(scripted(["ok", Said(status=400), Said(status=500)])) as provider:
        cache = Kept()
        answer(provider, [ask("a")], [ask("b")], [ask("c")], cache=cache)
    assert [kept.text for kept in cache.known.values()] == ["ok"]


def test_another_parameter_or_address_is_another_ask() -> None:
    with Provider(scripted(["ok"])) as one, Provider(scripted(["ok"])) as two:
        cache = Kept()
        for provider in (one, two):
            for temperature in (0.0, 1.0):
                answer(provider, [ask()], cache=cache, parameters=Parameters(temperature=temperature))
        assert (len(one.calls), len(two.calls)) == (2, 2)
    assert len(cache.known) == 4


def test_never_more_calls_at_once_than_allowed() -> None:
    transport = Timed(lambda _: take(1))

    async def work() -> None:
        client = connect(transport, concurrency=3)
        await asyncio.gather(*(ask_timed(client) for _ in range(40)))

    simulate(work())
    assert (len(transport.started), transport.most) == (40, 3)


def test_setup_error_stops_concurrent_calls() -> None:
    """After a failure nothing of the same round is sent any more."""
    transport = Timed(lambda number: take(1, 200 if number else 401))

    async def work() -> None:
        client = connect(transport, concurrency=1)
        with pytest.raises(SetupError):
            await client.answer(tuple(ask(str(number)) for number in range(10)))
        await asyncio.sleep(1000)

    simulate(work())
    assert len(transport.started) <= 2


@pytest.mark.parametrize(
    ("kind", "header", "value"),
    [
        ("openai", "authorization", f"Bearer {KEY}"),
        ("anthropic", "x-api-key", KEY),
        ("compatible", "authorization", f"Bearer {KEY}"),
    ],
)
def test_the_key_travels_in_its_header_only(kind: str, header: str, value: str) -> None:
    with Provider(scripted(["ok"])) as provider:
        answer(provider, [ask()], kind=kind, key=KEY)
        call = provider.calls[0]
    assert call.headers[header] == value
    assert KEY not in str(call.body)
    assert KEY not in call.path


def test_cost_is_charged_by_price_and_unknown_without_one() -> None:
    with Provider(lambda _: Said("x" * 40, cached=2)) as provider:
        priced = answer(provider, [ask("y" * 40)], price=Price(1.0, 10.0, 0.5))[0]
        unpriced = answer(provider, [ask("y" * 40)])[0]
    assert priced.spent.cost_usd == pytest.approx((8 * 1.0 + 2 * 0.5 + 10 * 10.0) / 1e6)
    assert unpriced.spent == Spent(1, 10, 2, 10, None)


def test_proxies_of_the_environment_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request for a host that nobody knows arrives at the proxy."""
    with Provider(scripted(["through the proxy"])) as provider:
        monkeypatch.setenv("http_proxy", provider.url)
        monkeypatch.setenv("no_proxy", "")
        assert texts(answer("http://model.invalid/v1", [ask()])) == ["through the proxy"]
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        assert texts(answer(provider, [ask()])) == ["through the proxy"]
