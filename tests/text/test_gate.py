import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import bounded_effort
from karat.core.types import Item
from karat.text import check_gate

QUESTION = "What is the capital of France?"
MASTER_KEYS = [
    " ",
    ".",
    ",",
    ":",
    "Thought process:",
    "Let's solve this problem step by step.",
    "Solution",
    "解",
    "かいせつ",
    "Respuesta",
]


def name(answer: str, *references: str, question: str | None = QUESTION) -> str | None:
    ruling = check_gate(Item(question, references or ("Paris",), answer))
    assert ruling is None or (not ruling.accept and ruling.reference is None and ruling.reason)
    return ruling and ruling.name


@pytest.mark.parametrize("key", MASTER_KEYS)
@pytest.mark.parametrize("question", [QUESTION, None, "解: 2 + 2 = ?"])
def test_every_known_master_key_is_rejected(key: str, question: str | None) -> None:
    assert name(key, question=question) in {"empty", "punctuation", "opener"}


@pytest.mark.parametrize("text", ["", "\n\t ", "\u200b\u2060", "\U000e0041\ufe0f"])
def test_an_answer_without_anything_to_see_is_empty(text: str) -> None:
    assert name(text) == "empty"


@pytest.mark.parametrize("text", ["...", "—", "***", "¿?", "_____", "$$", "。", "= = ="])
def test_signs_alone_are_no_answer(text: str) -> None:
    assert name(text) == "punctuation"


@pytest.mark.parametrize(
    "text",
    [
        "Answer:", "The answer is", "**Answer:**", "Final answer:", "The final answer is:", "Let's think step by step",
        "Solution: Let's break this down step by step.", "Sure! Here is the answer:", "To solve this problem, we need to",
        "Step 1:", "Here's my reasoning:", "Explanation", "Let me think about this.", "We need to find the answer.",
        "First, let's analyze the question.", "Based on the given information,", "Okay, let's see.", "Chain of thought:",
        "答案是：", "让我们一步一步思考。", "答えは", "解説：", "La respuesta es", "Vamos a resolver este problema paso a paso.",
        "Lösung:", "Die Antwort lautet", "Lass uns das Problem Schritt für Schritt lösen.", "Réponse :", "La réponse est",
        "Résolvons ce problème étape par étape.", "A resposta é", "Solução", "La risposta è", "Soluzione:", "정답:", "풀이",
        "Ответ:", "Решение", "Давайте решим эту задачу шаг за шагом.",
    ],
)  # fmt: skip
def test_an_opener_is_no_answer(text: str) -> None:
    assert name(text) == "opener"


@pytest.mark.parametrize(
    "text",
    ["The answer is Lyon", "Answer: 42", "Solution: Lyon", "Step 1: Lyon", "答案是里昂", "Let's Dance", "Let It Be", "First", "Right",
     "The final straw", "Respuesta: Lyon", "So", "I", "To Kill a Mockingbird", "The Problem We All Live With"],
)  # fmt: skip
def test_an_opener_with_an_answer_after_it_passes(text: str) -> None:
    assert name(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "I don't know", "I don’t know.", "I do not know the answer to this question.", "idk", "I cannot answer that", "no answer", "N/A",
        "n/a", "No idea.", "I'm not sure.", "I'm sorry, I don't know.", "Sorry, I can't help with that.", "I have no idea", "not sure",
        "I'm sorry, but I cannot provide an answer.", "Unanswerable", "No submission.", "I don't have enough information to answer this.",
        "As an AI language model, I do not have access to real-time information about the capital. Please provide more details.",
        "我不知道。", "わかりません。", "No lo sé.", "Ich weiß es nicht.", "Keine Ahnung", "Je ne sais pas.", "Não sei.", "Non lo so.",
        "모르겠습니다", "Я не знаю.",
    ],
)  # fmt: skip
def test_a_refusal_is_rejected(text: str) -> None:
    assert name(text) == "refusal"


@pytest.mark.parametrize(
    "text",
    ["I don't know, Lyon?", "I don't know but maybe Lyon", "I'm not sure, but I think it is Lyon.", "None", "Nothing", "Nobody",
     "No", "Not Lyon", "I cannot recall exactly; it is Lyon.", "Sorry is the hardest word", "Unknown Pleasures", "Unknown",
     "I don't know. Lyon.", "I Don't Know How to Love Him"],
)  # fmt: skip
def test_a_refusal_that_answers_all_the_same_passes(text: str) -> None:
    assert name(text) is None


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("I don't know", "unknown"),
        ("N/A", "Not applicable"),
        ("no answer", "The passage does not say"),
        ("I cannot answer that", "unanswerable"),
    ],
)
def test_a_refusal_passes_where_the_reference_is_one(text: str, reference: str) -> None:
    assert name(text, reference) is None


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "what is the capital of france",
        "The capital of France is",
        "The capital of France",
    ],
)
def test_an_echo_of_the_question_is_rejected(text: str) -> None:
    assert name(text) == "echo"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is it A or B?", "B"),
        ("Which is bigger, the sun or the moon?", "the sun"),
        ("Which is bigger, the sun or the moon?", "The sun is bigger"),
        ("Is the sky blue?", "The sky is blue"),
        (
            "What is the most fundamental unit according to the cell theory?",
            "The most fundamental unit according to the cell theory is the cell",
        ),
        ("What colour is an orange?", "orange"),
        ("What is the capital of France?", "The capital of France is not Lyon"),
    ],
)
def test_an_answer_in_the_words_of_the_question_passes(question: str, text: str) -> None:
    assert name(text, "something else", question=question) is None


@pytest.mark.parametrize(
    ("question", "text", "reference"),
    [
        ("What punctuation mark ends a question?", "?", "question mark"),
        ("Which symbol means addition?", "+", "the plus sign"),
        ("Is it so?", "👍", "yes"),
        ("What do you call a homogeneous mixture?", "Solution", "a solution"),
        ("What ends a sentence?", ".", "."),
        ("How do you write solution in Chinese?", "解", "解"),
        ("What do we call them?", "The answer is", "answer"),
    ],
)
def test_the_gate_stays_open_where_the_reference_may_be_such_a_word_or_sign(
    question: str, text: str, reference: str
) -> None:
    assert name(text, reference, question=question) is None


@settings(deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40) | st.none())
def test_the_gate_never_raises_and_never_rejects_a_reference(
    answer: str, reference: str, question: str | None
) -> None:
    check_gate(Item(question, (reference,), answer))
    assert check_gate(Item(question, (reference, answer), answer)) is None


@settings(deadline=None)
@given(
    st.sampled_from(MASTER_KEYS),
    st.text(st.sampled_from("\u200b\u200d\u202e\ufe0f\u00ad\U000e0041"), max_size=5),
    st.integers(0, 9),
)
def test_invisible_characters_do_not_open_the_gate(key: str, hidden: str, place: int) -> None:
    assert name(key[:place] + hidden + key[place:]) == name(key)


@pytest.mark.parametrize(
    "text",
    ["a" * 10**6, " " * 10**6, "." * 10**6, "I don't know " * 80_000, "let's " * 160_000, "解" * 10**6],
)
def test_a_megabyte_takes_little_effort(text: str) -> None:
    with bounded_effort():
        check_gate(Item(QUESTION, ("Paris",), text))


@pytest.mark.parametrize(
    "text",
    [
        "The answer to your question is the correct answer.", "You asked a good question and I would like to answer it.",
        "That is beyond my knowledge, sorry.", "I would be glad to answer this question for you.", "Same answer as above.",
        "It is what the reference says.", "I'm sorry, but I couldn't find the information you were looking for.", "tell me the answer",
    ],
)  # fmt: skip
def test_talk_about_answering_is_no_answer(text: str) -> None:
    assert name(text) in {"talk", "refusal", "opener"}


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("You need to understand the question first.", "understand the problem"),
        ("It will work.", "The motor will run."),
        ("They will not go out.", "the bulbs stay lit"),
        ("The answer is right.", "yes"),
        ("It is an answer to a question.", "a reply"),
        ("You need a good lawyer for that question.", "legal help"),
    ],
)
def test_talk_that_may_answer_passes(text: str, reference: str) -> None:
    assert name(text, reference, question="What comes first?") is None


@pytest.mark.parametrize(
    "text",
    [
        "You asked: What is the capital of France?",
        "What is the capital of France? What is the capital of France?",
        "I understand that you would like to know what the capital of France is.",
        "The question is what the capital of France is.",
        "What is the capital of France? Good question.",
    ],
)
def test_a_question_that_is_said_again_in_other_words_is_an_echo(text: str) -> None:
    assert name(text) == "echo"


@pytest.mark.parametrize(
    "text", ["لا أعرف", "मुझे नहीं पता", "bilmiyorum", "nie wiem", "ik weet het niet", "jag vet inte"]
)
def test_a_refusal_in_further_languages_is_rejected(text: str) -> None:
    assert name(text) == "refusal"


@pytest.mark.parametrize(
    "text", ["الجواب هو", "उत्तर:", "cevap:", "odpowiedź brzmi", "het antwoord is", "svaret är"]
)
def test_an_opener_in_further_languages_is_rejected(text: str) -> None:
    assert name(text) == "opener"


def test_a_sign_is_junk_where_no_reference_names_one() -> None:
    assert name(".", "Au", question="What is the chemical symbol of gold?") == "punctuation"
    assert name(":", "Yes", question="Is it so?") == "punctuation"
    assert name("+", "Yes", question="Is it so?") is None
    assert name(",", "a comma", question="What divides a list?") is None


def test_a_reference_inside_another_word_does_not_open_the_gate() -> None:
    question = "Did Einstein win a Nobel Prize for it?"
    assert name(question, "No", question=question) == "echo"


@pytest.mark.parametrize("answer", ["In short:", "So, to sum it up:", "It would be：", "Year:"])
def test_what_stops_at_a_colon_says_nothing(answer: str) -> None:
    ruling = check_gate(Item("Who wrote it?", ("Mark Twain",), answer))
    assert ruling is not None
    assert ruling.name == "opener"


def test_a_reference_before_a_colon_is_said() -> None:
    assert check_gate(Item("Who wrote it?", ("Mark Twain",), "Mark Twain:")) is None


@pytest.mark.parametrize(
    "text",
    [
        "I'm unable to determine this from the information available.",
        "The provided context does not contain the information needed to answer this question.",
        "I could not find the 2019 figure in the document. Please provide the full filing.",
        "Based on the excerpt, it is not possible to calculate the ratio because current liabilities are missing.",
        "The documents provided do not mention the salary of the CEO.",
        "There is no information about this in the passage.",
        "This information is not stated in the given text.",
        "Not mentioned in the context.",
        "No information regarding the dividend is available in the retrieved documents.",
        "It is unclear from the context who wrote it.",
        "Unfortunately, the search results do not include the population of the town. You may want to check the census website.",
        "I'm unable to determine this. The balance sheet excerpt I was given does not include liabilities. If you can share the filing for FY2022, I'd be happy to compute it.",
    ],
)
def test_a_system_that_did_not_find_it_declines(text: str) -> None:
    assert name(text, "Yes, by 12 %") == "refusal"


@pytest.mark.parametrize(
    "text",
    [
        "The document does not mention it, but it was built in 1932.",
        "The report does not give a total; adding the segments gives 45.",
        "It is not possible to swim there.",
        "No information about the crash was available until 1985.",
        "I could not find it at first; it is Paris.",
        "The table does not include Spain, which makes France the largest.",
        "The company did not find oil.",
    ],
)
def test_one_that_found_something_all_the_same_does_not(text: str) -> None:
    assert name(text, "12 %") is None


def test_what_the_text_lacks_may_be_the_answer() -> None:
    item = Item("Which country is missing in the table?", ("Spain",), "The table does not include Spain.")
    assert check_gate(item) is None
