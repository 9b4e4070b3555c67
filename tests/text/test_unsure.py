import pytest

from karat.core.types import Item
from karat.text import Ruling, apply_rules, check_gate
from karat.text.lexicon import HEDGES


def rule(reference: str, answer: str, question: str | None = None) -> Ruling | None:
    return apply_rules(Item(question, (reference,), answer))


@pytest.mark.parametrize(
    "answer",
    [
        "ain't Mark Twain", "It ain’t Mark Twain.", "It dont seem Mark Twain", "It wont be Mark Twain", "nicht Mark Twain", "Nein, nicht Mark Twain",
        "Nein, Mark Twain war es nicht", "kein Mark Twain", "pas Mark Twain", "Ce n'est pas Mark Twain", "no es Mark Twain", "nunca Mark Twain",
        "non è Mark Twain", "não é Mark Twain", "nem Mark Twain", "niet Mark Twain", "geen Mark Twain", "не Mark Twain", "Нет, Mark Twain",
        "不是 Mark Twain", "并非 Mark Twain", "Mark Twain ではない", "Mark Twain じゃありません", "Anyone but Mark Twain", "Everybody but Mark Twain",
    ],
)  # fmt: skip
def test_a_denial_in_any_known_language_is_not_accepted(answer: str) -> None:
    assert rule("Mark Twain", answer) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Einstein", "Anyone but Einstein"),
        ("Einstein", "Everyone save Einstein"),
        ("Mark Twain", "It was long thought that Mark Twain wrote it."),
        ("Mark Twain", "It is often attributed to Mark Twain, yet Bret Harte wrote it."),
        ("Mark Twain", "People name Mark Twain, but Bret Harte wrote it."),
        ("Mark Twain", "Most name Mark Twain, while Bret Harte wrote it."),
        ("Mark Twain", "Most name Mark Twain, whereas Bret Harte wrote it."),
        ("Mark Twain", "Most name Mark Twain; actually Bret Harte wrote it."),
        ("Mark Twain", "Most name Mark Twain. However, Bret Harte wrote it."),
        ("increases", "it increases then decreases"),
        ("increases", "It increases, and then decreases."),
    ],
)
def test_a_reference_that_the_answer_turns_from_is_not_accepted(reference: str, answer: str) -> None:
    assert rule(reference, answer) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Mark Twain", "Bret Harte (who influenced Mark Twain)"),
        ("Mark Twain", "Bret Harte, who met Mark Twain"),
        ("Mark Twain", "Bret Harte (a friend of Mark Twain)"),
        ("Paris", "Lyon (formerly Paris)"),
        ("Paris", "Lyon, formerly Paris"),
        ("Paris", "If it were 1200, Paris"),
        ("Paris", "Paris, if it were 1200"),
        ("Paris", "Were it 1200, Paris"),
        ("Paris", "If this is about France, Paris"),
        ("Paris", "If you mean France, it is Paris"),
        ("Mark Twain", "The author is Bret Harte, who influenced Mark Twain."),
    ],
)
def test_a_reference_beside_the_answer_or_under_a_condition_is_not_accepted(
    reference: str, answer: str
) -> None:
    assert rule(reference, answer) is None


@pytest.mark.parametrize(
    "answer",
    [
        "Mark Twain; Bret Harte",
        "Bret Harte; Mark Twain",
        "Mark Twain | Bret Harte",
        "1. Mark Twain 2. Bret Harte",
        "1) Bret Harte 2) Mark Twain",
        "Mark Twain\nBret Harte",
        "Bret Harte\nMark Twain",
        "Mark Twain • Bret Harte",
        "Mark Twain & Bret Harte",
        "Mark Twain + Bret Harte",
        "Mark Twain - Bret Harte",
    ],
)
def test_one_of_several_answers_is_not_accepted(answer: str) -> None:
    assert rule("Mark Twain", answer) is None


def test_one_of_several_dates_is_not_accepted() -> None:
    assert rule("1969", "1969\n1970") is None


@pytest.mark.parametrize("answer", ["Mark Twain\n\nThat is the right answer.", "Answer:\nMark Twain"])
def test_an_explanation_or_a_label_on_another_line_is_no_second_answer(answer: str) -> None:
    ruling = rule("Mark Twain", answer)
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("horse", "sea horse"), ("horse", "a sea horse"), ("horse", "It is a sea horse."), ("fish", "jelly fish"), ("butter", "peanut butter"),
        ("dog", "hot dog"), ("dog", "prairie dog"), ("gold", "fool's gold"), ("star", "movie star"), ("bear", "teddy bear"),
        ("bear", "koala bear"), ("Bear", "koala bear"), ("bear", "Teddy Bear"), ("pig", "guinea pig"), ("potato", "sweet potato"),
        ("sugar", "blood sugar"), ("car", "toy car"), ("gun", "water gun"), ("bacteria", "kills bacteria"), ("bacteria", "It kills bacteria."),
        ("whale", "a blue whale"), ("China", "Republic of China"), ("China", "It is the Republic of China."),
    ],
)  # fmt: skip
def test_a_common_noun_behind_another_word_may_be_another_thing(reference: str, answer: str) -> None:
    assert rule(reference, answer) is None


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("whale", "It is a whale."), ("oxygen", "It was called oxygen."), ("Obama", "Barack Obama")],
)
def test_a_noun_that_stands_alone_or_a_fuller_name_is_accepted(reference: str, answer: str) -> None:
    ruling = rule(reference, answer)
    assert ruling is not None
    assert ruling.accept


def test_a_name_in_small_letters_beside_the_questions_words_is_accepted() -> None:
    ruling = rule("Leto", "the singer is leto", "who is the singer?")
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("5", "<5"), ("5", ">5"), ("5", "≥5"), ("5", "≤ 5"), ("5", ">= 5"), ("5", "5%"), ("5 m", "5 m²"), ("5 m", "5 m^2"), ("5 m", "5 m³"),
        ("5th century", "5th century BC"), ("5th century", "the 5th century B.C.E."), ("early 2020", "late 2020"), ("late 2020", "2020"),
        ("since 1900", "1900"), ("by 1900", "1900"), ("by 1900", "1899"), ("from 1900", "1900"), ("1900", "by 1900"), ("1900", "since 1900"), ("1900", "around 1900"),
        ("3", "about 3"), ("5", "~5"), ("5", "roughly 5"), ("5", "5ish"), ("5", "5-ish"), ("5", "approximately 5"), ("5", "5 or so"), ("5", "5i"), ("5", "5‰"), ("5", "5!"), ("5", "±5"), ("1900", "1900 (disputed)"),
        ("273.15 K", "0 C"), ("373 K", "100 C"), ("273.15 K", "0 °C"), ("5 MB", "5 Mb"), ("5 mW", "5 MW"), ("5 MW", "It gives 5 mW."), ("5 g", "5G"),
    ],
)  # fmt: skip
def test_a_bounded_hedged_or_otherwise_measured_value_is_left_undecided(reference: str, answer: str) -> None:
    assert rule(reference, answer) is None


@pytest.mark.parametrize(
    ("reference", "answer", "question"),
    [
        ("about 3", "about 3", None),
        ("about 300", "around 300", None),
        ("5", "5%", "What percentage is it?"),
        ("5 MB", "5 megabytes", None),
        ("$5K", "$5,000", None),
    ],
)
def test_a_value_as_vague_as_its_reference_or_as_asked_is_accepted(
    reference: str, answer: str, question: str | None
) -> None:
    ruling = rule(reference, answer, question)
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 MB", "5 Mb"), ("5 mW", "5 MW"), ("5!", "5"), ("0.1̅", "0.1"), ("[1,2]", "(1,2)"), ("!x", "x"), ("~p", "p"), ("p'", "p"),
        ("f'(x)", "f(x)"), ("<b>", "</b>"), ("*args", "args"), ("**kwargs", "*kwargs"), (r"\d+", r"\D+"), ("[a-z]", "[A-Z]"), ("Cl-", "Cl"),
        ("Co", "CO"), ("AA", "Aa"), ("A*", "A"), ("i", "I"), ("O(n)", "O(n^2)"), ("O(n)", "It is O(n^2)."),
        ("n!", "n"), ("@property", "property"), ("/etc", "etc"), ("-ly", "ly"), ("{}", "[]"), ("a|b", "a b"), ("x_1", "x 1"), ("f()", "f"),
    ],
)  # fmt: skip
def test_signs_and_capitals_of_code_and_symbols_count(one: str, other: str) -> None:
    for reference, answer in ((one, other), (other, one)):
        ruling = rule(reference, answer)
        assert ruling is None or not ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("O(n)", "O(n)."), ("O(n)", " O( n ) "), ("*args", "`*args`"), ("B", "**B**"), ("B", "(B)"), ("B", "B)"), ("B", "The answer is B."), ("Co", "“Co”"),
        ("x = 5", "x=5"), ("O(n)", "The answer is O(n)."), ("CO", "It is called CO."), ("no", "No."), ("Oh! Calcutta!", "oh calcutta"),
        ("Paris (France)", "paris france"), ("Alzheimer's disease", "Alzheimers disease"), ("rock 'n' roll", "Rock 'n' Roll"), ("AC/DC", "ac/dc"),
        ("Spider-Man", "spider man"), ("-5", "−5"), ("Yahoo!", "Yahoo"),
    ],
)  # fmt: skip
def test_a_symbol_in_other_company_and_prose_in_other_dress_are_accepted(reference: str, answer: str) -> None:
    ruling = rule(reference, answer)
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Mark Twain", "Not sure. Mark Twain"),
        ("Mark Twain", "I don't know. Mark Twain."),
        ("1969", "1970?"),
        ("No", "No. 5"),
        ("no", "No 5"),
    ],
)
def test_what_is_asked_or_unsure_is_no_answer(reference: str, answer: str) -> None:
    assert rule(reference, answer) is None


def test_a_closing_question_mark_may_belong_to_the_reference() -> None:
    ruling = rule("Who's Afraid of Virginia Woolf?", "who's afraid of virginia woolf?")
    assert ruling is not None
    assert ruling.accept


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("France", "🇫🇷"),
        ("thumbs up", "👍"),
        ("smiling face", "😀"),
        ("empty set", "∅"),
        ("for all", "∀"),
        ("warm", "☀️"),
    ],
)
def test_an_emoji_or_a_symbol_beyond_ascii_may_be_an_answer(reference: str, answer: str) -> None:
    item = Item("What is it?", (reference,), answer)
    assert check_gate(item) is None
    assert apply_rules(item) is None


@pytest.mark.parametrize("hedge", sorted(HEDGES))
def test_every_hedge_keeps_an_answer_from_a_sure_accept(hedge: str) -> None:
    """A hedge of the lexicon before a name or a number leaves the row undecided, whichever hedge it is."""
    assert (
        rule(
            "Paris", f"{hedge.capitalize()} the capital of France is Paris.", "What is the capital of France?"
        )
        is None
    )
    assert rule("42", f"There are {hedge} 42 of them.", "How many are there?") is None


@pytest.mark.parametrize(
    ("question", "reference", "answer", "name"),
    [
        ("What is 43 * 38?", "1634", "43 * 38 = 1644", "number_conflict"),
        ("When was it built?", "1634", "1644", "date_conflict"),
    ],
)
def test_a_year_is_a_date_only_where_a_time_is_asked_for(
    question: str, reference: str, answer: str, name: str
) -> None:
    """The reason calls four digits a date only where the question asks when."""
    ruling = rule(reference, answer, question)
    assert ruling is not None
    assert ruling.name == name
