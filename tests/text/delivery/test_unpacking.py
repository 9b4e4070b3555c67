"""What a system delivers around its answer is taken off, and nothing of the answer itself."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.core.types import Item, Verdict
from karat.text import unwrap_answer

QUESTION = "What is the capital of France?"
FORMS = Path(__file__).parents[3] / "benchmarks" / "forms"


def take_out(answer: str, reference: str = "Lyon", question: str = QUESTION) -> str:
    return unwrap_answer(Item(question, (reference,), answer)).answer


@pytest.mark.parametrize(
    "answer",
    [
        "Paris<|im_end|>", "<|im_start|>assistant\nParis<|im_end|>\n<|endoftext|>", "<s> [INST] What is the capital of France? [/INST] Paris </s>", "<pad> Paris</s><pad>",
        "<|start_header_id|>assistant<|end_header_id|>\n\nParis<|eot_id|>", "<start_of_turn>model\nParis<end_of_turn>", "Paris<end_of_turn>\n<start_of_turn>user\nHow old is he?",
        "<|channel|>analysis<|message|>A simple one.<|end|><|start|>assistant<|channel|>final<|message|>Paris<|return|>", "Assistant: Paris", "Bot [10:42 AM]: Paris",
        "Human: What is the capital of France?\n\nAssistant: Paris",
    ],
)  # fmt: skip
def test_tokens_and_roles_are_taken_off(answer: str) -> None:
    assert take_out(answer) == "Paris"


@pytest.mark.parametrize(
    "answer",
    [
        "Paris\n\nQ: What is the capital of Peru?\nA: Lima", "Paris\nQuestion: What is the capital of France?\nAnswer:", "Paris\n\n### Instruction:\nTranslate it.\n\n### Response:\n",
        "Paris\n\nHuman: Thanks! And of Peru?\n\nAssistant: Lima", "Paris\n\nExercise 2: Fill in the blank.\n\nAnswer: goes", "Paris\nimport torch\nimport numpy",
    ],
)  # fmt: skip
def test_turns_that_follow_are_cut_off(answer: str) -> None:
    assert take_out(answer) == "Paris"


def test_digits_of_sources_that_stick_to_words_are_taken_off() -> None:
    assert take_out("The war ended onSeptember 2, 19451.") == "The war ended on September 2, 1945."
    assert take_out("It was written by an English farmer12.") == "It was written by an English farmer."
    assert take_out("It is the razor that is called Mach3.") == "It is the razor that is called Mach3."
    assert take_out("It runs on Windows10.", "Windows 10") == "It runs on Windows10."
    assert take_out("The code is 20001.") == "The code is 20001."


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nLyon? No.\n</think>\n\nParis", "It is in the text.\n</think>\nParis", "[THINK]The first passage says it.[/THINK]Paris", "◁think▷Simple.◁/think▷Paris",
        "<reasoning>Lyon is smaller.</reasoning>\n<answer>Paris</answer>", "> Thought for 6 seconds\n\nParis", "<scratchpad>a note</scratchpad>Paris",
    ],
)  # fmt: skip
def test_reasoning_is_taken_off(answer: str) -> None:
    assert take_out(answer) == "Paris"


@pytest.mark.parametrize(
    "answer",
    [
        '{"answer": "Paris"}', '```json\n{\n  "answer": "Paris",\n  "confidence": 0.97\n}\n```', "{'answer': 'Paris', 'source_documents': []}", '{"name": "final_answer", "arguments": {"answer": "Paris"}}',
        '{"name": "submit", "arguments": "{\\"answer\\": \\"Paris\\"}"}', '{"choices": [{"message": {"role": "assistant", "content": "Paris"}}]}', '{"content": [{"type": "thinking", "text": "Lyon?"}, {"type": "text", "text": "Paris"}]}',
        'Here is the result:\n{"reasoning": "It says so.", "answer": "Paris"}', 'final_answer("Paris")', "Action 3: Finish[Paris]", "AIMessage(content='Paris', id='run-7')", "<response><answer>Paris</answer><citations/></response>",
        '---\nquestion: "What?"\nanswer: "Paris"\ntool: null', 'data: {"type":"start"}\n\ndata: {"delta": "Paris"}\n\ndata: [DONE]',
        "[[ ## reasoning ## ]]\nIt says so.\n\n[[ ## answer ## ]]\nParis\n\n[[ ## completed ## ]]", '{"answer": "Paris", "supporting_facts": ["',
    ],
)  # fmt: skip
def test_the_answer_is_taken_out_of_structures(answer: str) -> None:
    assert take_out(answer) == "Paris"


@pytest.mark.parametrize(
    "answer",
    [
        "Thought: I know it.\nFinal Answer: Paris", "It is asked for a city. The passage names it.\n\n**Final answer:** Paris", "### ✅ Final Answer\nParis", "Step 1: Read.\nStep 2: Answer.\n\nAnswer: Paris",
        "TL;DR: Paris", "Paris\n\nExplanation: The text states it.", "**Answer:** Paris\n\n**Reasoning:** The text states it.", "Let us think. The text names it. So the answer is: Paris",
    ],
)  # fmt: skip
def test_the_answer_is_what_is_marked_as_such(answer: str) -> None:
    assert take_out(answer) == "Paris"


@pytest.mark.parametrize(
    "answer",
    [
        "Paris [1]", "Paris[1][3]", "Paris[^1^][1]", "Paris 【4†source】", "Paris【7:0†knowledge_base.pdf】", "Paris¹", "Paris ([en.wikipedia.org](https://en.wikipedia.org/wiki/Main_Page))", "Paris [doc 3]", "Paris (p. 12)",
        "Paris (Source: Wikipedia)", "Paris\n\nSources:\n[1] https://a.org/b\n[2] https://c.org", "Paris\n\n**Sources**\n- `handbook.pdf` (p. 12)", "Paris\n\nReferences\n1. Some Book.", "Paris[^1]\n\n[^1]: https://a.org/",
        "Paris :contentReference[oaicite:0]{index=0}", "Paris <sup>[2]</sup>", "Paris<co: 0,2></co: 0,2>", "Paris {{sfn|Handbook|loc=ch. 2}}", "Paris \\cite{handbook}",
    ],
)  # fmt: skip
def test_sources_are_taken_off(answer: str) -> None:
    assert take_out(answer) == "Paris"


@pytest.mark.parametrize(
    "answer",
    [
        "Based on the provided context, Paris", "According to the retrieved documents: Paris", "Paris\n\nConfidence: High", "Paris (confidence: 0.95)", "Paris\n\nNote: This answer is drawn only from the documents supplied.",
        "I searched the knowledge base and found 3 documents. Paris", "Paris\n\nLet me know if you'd like more details!", "Paris\nTERMINATE", "As of my last update, Paris", "<p>Paris</p>", '<div class="a"><strong>Paris</strong></div><br/>', "Paris\\n",
    ],
)  # fmt: skip
def test_notes_and_markup_are_taken_off(answer: str) -> None:
    assert take_out(answer) == "Paris"


@pytest.mark.parametrize(
    ("answer", "reference", "question"),
    [
        ('No {"Answer 1": true}', "Yes", "Is a tomato a fruit?"),
        ('Lyon. {"answer": "Paris"}', "Paris", QUESTION),
        ("[1, 2, 3]", "[1, 2, 3]", "Which list is sorted?"),
        ('{"a": 1}', '{"a": 1}', "What does the call return?"),
        ("<br>", "<br>", "Which tag breaks a line?"),
        ("Source: Lake Victoria", "Lake Victoria", "Where does the Nile rise?"),
        (
            "Support: it holds the body.\nProtection: it guards the brain.",
            "support",
            "What is a skeleton for?",
        ),
        ("Answer: Lyon\nAnswer: Paris", "Paris", QUESTION),
        ("-5", "-5", "What is 2 - 7?"),
        ("1. Google.com\n2. YouTube.com", "Google, YouTube", "Which sites lead?"),
        ("The area is 5 m²", "5 m²", "How large is it?"),
        ("Note that this is wrong, it could be Lyon instead.", "Paris", QUESTION),
        ("Paris. However, this answer may be wrong.", "Paris", QUESTION),
    ],
)
def test_what_may_be_the_answer_stays(answer: str, reference: str, question: str) -> None:
    assert take_out(answer, reference, question) == answer


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("What are the PDCA steps?", "plan, do, check, act", "1. Plan\n2. Do\n3. Check\n4. Act"),
        ("Which notes has a C major chord?", "C, E, G", "C major chord\nNotes: C, E, G"),
        ("What is the status of ticket 12?", "open", "Ticket 12\nType: bug\nStatus: open"),
        ("What was the result?", "Spain 2-1", "Opponent: Spain\nResult: 2-1"),
        ("What is the source of the Nile?", "Lake Victoria", "Source: Lake Victoria"),
        ("What are sources of iron?", "meat and beans", "Sources:\n- meat\n- beans"),
        ("What do I need to bring?", "passport and photo", "Documents: passport, photo"),
        ("What is the probability of heads?", "one half", "For a fair coin the probability is 0.5"),
        ("What is her score?", "eighty-five", "Her score is 85"),
        ("Which letters?", "A, B", "A\nB"),
        ("What does ML belong to?", "AI", "AI\nIt is a part of computer science"),
        ("How is it declared?", "int n[10]", "int n[10]"),
        ("Which are odd?", "1 and 3", "[1] and [3]"),
        ("What range?", "between 0 and 255", "It is in [0, 255]"),
        ("What is the square?", "(x+2)^2", "(x+2)²"),
        ("Which law?", "42 U.S.C. 19", "42 U.S.C. §19."),
        ("How large was the loan?", "$1,500", "He had a loan of 15000"),
        ("How large was the army?", "nineteen thousand", "He led an army of 19000."),
        ("Which function?", "log", "log10"),
        ("How many?", "about 50", "approx.50"),
        ("On which page is it?", "page 12", "It is on (page 12)."),
        ("Where did he come from?", "Rome", "He came (from Rome)"),
        ("How long did he reign?", "56 years", "He reigned 56 years (from 1216 to 1272)"),
        ("Which tag makes bold text?", "<b>", "The <b> tag"),
        ("Compare a, b and c.", "a is less", "a<b and b>c"),
        ("Where can I report it?", "bugs.example.io", "Report it at https://bugs.example.io"),
        ("Which token separates?", "[SEP]", "It is the [SEP] token"),
        ("How far is it?", "5 km", "| Answer | Unit |\n|---|---|\n| 5 | km |"),
        ("Which?", "Paris", "{'Paris', 'Rome', 'Berlin'}"),
    ],
)  # fmt: skip
def test_lists_forms_code_and_figures_stay_as_they_are(question: str, reference: str, answer: str) -> None:
    assert take_out(answer, reference, question) == answer


@pytest.mark.parametrize(
    ("question", "reference", "answer", "needed"),
    [
        ("Who were the founders?", "Jobs, Wozniak and Wayne", "Answer: There were three founders.\n\nThey were Steve Jobs, Steve Wozniak and Ronald Wayne.", "Wayne"),
        ("How high is the tower?", "1,063 feet", "Short answer: It depends on what you count.\n\nThe tower is 324 metres high.", "324"),
        ("Who founded Apple?", "Steve Jobs, Steve Wozniak", "They are\n[1] Steve Jobs\n[2] Steve Wozniak", "Wozniak"),
        ("Who is it?", "Ann", '{"text":"Who won the race?","winner":"Ann"}', "Ann"),
    ],
)  # fmt: skip
def test_what_answers_in_a_later_part_stays(question: str, reference: str, answer: str, needed: str) -> None:
    assert needed in take_out(answer, reference, question)


@pytest.mark.parametrize(
    ("question", "reference", "answer", "wanted"),
    [
        ("What is the capital of France?", "Paris", '{"reasoning": "Step 1.\\nStep 2.", "output": "Paris"}', "Paris"),
        ("Which interval?", "[0, 5]", "<think>Could be [0, 6]</think>[0, 5]", "[0, 5]"),
        ("What is a half?", "\\frac{1}{2}", '{"answer": "\\\\frac{1}{2}"}', "\\frac{1}{2}"),
    ],
)  # fmt: skip
def test_signs_of_the_reference_do_not_keep_the_packing(
    question: str, reference: str, answer: str, wanted: str
) -> None:
    assert take_out(answer, reference, question) == wanted


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who wrote it?", "Jane Austen", "Final Answer: Jane Austen\n\nHold on — I misread. It was Charlotte Brontë."),
        ("Who wrote it?", "Jane Austen", "Draft: Jane Austen\n\nRevised: Emily Brontë"),
        ("What is the capital of Australia?", "Canberra", "Canberra\nSelf-check: wrong. The capital is Melbourne."),
        ("What is the capital of Australia?", "Canberra", "Canberra. This answer is false according to the documents."),
        ("What is the capital of Australia?", "Canberra", "Canberra. This is made up, no source supports it."),
        ("What is the capital of Australia?", "Canberra", "Canberra. Note that the sources give Sydney."),
        ("Who won?", "Ann", "Ann. I checked, and the official record says Bob."),
        ("What is the capital of Australia?", "Canberra", "Sydney 70%, Canberra p=0.3"),
        ("What is the capital of Australia?", "Canberra", "It is not <answer>Canberra</answer>"),
        ("What is the capital of Australia?", "Canberra", "Sydney is the capital. A wrong answer would be <answer>Canberra"),
        ("What is the capital of Australia?", "Canberra", "<answer>Canberra</answer> No, that is wrong. It is Sydney."),
        ("Who won?", "Ann", '```json\n{"answer": "Ann"}\n```\nSorry, that is wrong, it was Bob.'),
        ("Who won?", "Ann", '{"answer": "Ann"} is incorrect. Bob won.'),
        ("Who won?", "Ann", "| Answer |\n|---|\n| Ann |\n\nCorrection: Bob."),
        ("Who won?", "Ann", "Ann<|im_end|>\n<|im_start|>assistant\nSorry, Bob won."),
        ("What is the capital of Australia?", "Canberra", "Canberra\nUser: Are you sure?\nAssistant: No, Sydney"),
        ("What is the capital of Australia?", "Canberra", "<s>Canberra</s> Sydney"),
        ("What is the capital of Australia?", "Canberra", "Canberra</s> is wrong, Sydney is right"),
        ("What is the capital of Australia?", "Canberra", "It is <plan>not</plan> Canberra"),
    ],
)  # fmt: skip
def test_what_is_taken_back_beside_the_packing_is_not_accepted(
    question: str, reference: str, answer: str
) -> None:
    outcome = karat.judge(question, reference, answer)
    assert not (isinstance(outcome, Verdict) and outcome.value)


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("What is the capital of Australia?", "Canberra", "<s>Sydney</s> Canberra"),
        ("When was Mandela president?", "1994 to 1999", "He was the first black head of state.\n\nFrom 1994 to 1999 he was president."),
        ("What is the sum?", "100", "There is a neat formula.\nLet n = 10. Then the sum is n^2 = 100."),
        ("What book is meant?", "Dune", "A book by Frank Herbert.\nTitle: Dune"),
        ("Who is the customer?", "Acme", "Order 5\nCustomer: Acme"),
        ("Name a noble gas.", "neon", "Noble gases do not react.\nExample: neon"),
    ],
)  # fmt: skip
def test_what_is_said_in_a_later_line_is_not_rejected(question: str, reference: str, answer: str) -> None:
    outcome = karat.judge(question, reference, answer)
    assert not isinstance(outcome, Verdict) or outcome.value


@pytest.mark.parametrize(
    "answer",
    [
        "{'answer': 0x" + "f" * 4000 + "}",
        "[" * 5000,
        "{'a': " * 300,
        "{'Paris', 'Rome'}",
        '{"answer": 1e999}',
    ],
)
def test_what_cannot_be_read_as_an_object_is_left_alone(answer: str) -> None:
    assert take_out(answer) == answer.strip()


def test_packing_that_names_the_answer_is_taken_off_code_too() -> None:
    question = "Which Python expression gives the length of a list x?"
    assert take_out('{"answer": "len(x)"}', "len(x)", question) == "len(x)"
    assert take_out('{"status": "ok", "result": 5}', "len(x)", question) == '{"status": "ok", "result": 5}'


def test_explanations_keep_their_sections() -> None:
    reference = "The mains current heats the wire because of its resistance, and the heat makes the bimetal bend away."
    answer = "The wire gets hot.\n\nExplanation: The bimetal bends away from the contact."
    assert take_out(answer, reference) == answer


@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=60))
def test_something_is_left(answer: str, reference: str, question: str) -> None:
    left = unwrap_answer(Item(question, (reference,), answer)).answer
    assert any(map(str.isalnum, left)) or left == answer


@given(
    st.lists(
        st.sampled_from(["the", "old", "town", "hall", "stands", "near", "a", "wide", "green", "river"]),
        min_size=1,
        max_size=12,
    )
)
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    item = Item(QUESTION, ("Lyon",), " ".join(words))
    assert unwrap_answer(item) is item


@pytest.mark.parametrize("part", ["first", "second", "third", "fourth", "fifth"])
def test_no_form_loses_its_answer(part: str) -> None:
    lines = (FORMS / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    forms = [json.loads(line)["form"] for line in lines]
    answer = "The capital of France is Paris."
    left = [take_out(form.replace("{q}", QUESTION).replace("{a}", answer)) for form in forms]
    assert sum("Paris" not in each for each in left) == 0


def test_a_verdict_says_which_part_was_judged() -> None:
    verdict = karat.judge(QUESTION, "Paris", '{"answer": "Paris", "sources": []}')
    assert isinstance(verdict, Verdict)
    assert verdict.value is True
    assert verdict.reason is not None
    assert "“Paris”" in verdict.reason
