"""Answers stated in other languages than English, and in other scripts."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

VERIFIER = MathVerifier()


def score(reference: str, response: str, prompt: str = "") -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": reference}}
    return VERIFIER.check(parse_request("math", raw)).score


STATEMENTS = [
    "所以最终答案为 %s。",
    "综上所述，答案是%s，因为其余的情况都不成立。",
    "答：篮子里一共有%s个鸡蛋。",
    "したがって、答えは %s です。",
    "정답은 %s입니다.",
    "Правильный ответ: %s",
    "Таким образом, ответ равен %s.",
    "В корзине осталось %s яиц.",
    "La respuesta final es %s.",
    "Quedan %s huevos.",
    "Die Antwort lautet %s.",
    "Im Korb liegen %s Eier.",
    "La réponse est donc %s.",
    "A resposta correta é %s.",
    "La risposta è %s.",
    "Het antwoord is %s.",
    "Odpowiedź: %s",
    "Đáp án là %s.",
    "Jawabannya adalah %s.",
    "الإجابة هي %s",
    "उत्तर: %s",
    r"\boxed{%s \text{ яиц}}",
    r"\boxed{%s个}",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_an_answer_is_found_in_the_languages_that_models_are_trained_on(statement: str) -> None:
    assert score("58", statement % "58") == 1.0
    assert score("58", statement % "59") == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "答案不是58。",
        "Ответ не 58.",
        "Неверно, что ответ 58.",
        "La respuesta no es 58.",
        "No es cierto que la respuesta es 58.",
        "Die Antwort ist nicht 58.",
        "La réponse n'est pas 58.",
        "答えは58ではありません。",
        "정답은 58이 아닙니다.",
        "A resposta não é 58.",
        "Đáp án không phải là 58.",
        r"\boxed{58 \text{ неверно}}",
        r"Die Antwort ist nicht \boxed{58}.",
        "至少58",
        "Ответ: больше 58",
        "La respuesta es al menos 58.",
    ],
)
def test_what_is_denied_or_only_bounded_is_no_answer(response: str) -> None:
    assert score("58", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "答案是58或59",
        "Ответ: 58 или 59",
        "Die Antwort ist 58 oder 59.",
        "La respuesta es 58 o 59.",
        r"\boxed{59} или \boxed{58}",
        r"\boxed{58}或59",
    ],
)
def test_two_values_to_choose_from_are_no_answer(response: str) -> None:
    assert score("58", response) == 0.0
    assert score("59", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "答案不是59，而是58。",
        "Die Antwort ist nicht 59, sondern 58.",
        "La respuesta no es 59 sino 58.",
        "La réponse n'est pas 59 mais 58.",
        "Ответ не 59, а 58.",
    ],
)
def test_the_value_that_replaces_a_denied_one_is_the_answer(response: str) -> None:
    assert score("58", response) == 1.0
    assert score("59", response) == 0.0


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{-3 \text{ и } 8}",
        r"\boxed{x=-3 \text{ oder } x=8}",
        r"\boxed{x=-3或x=8}",
        "答案是 -3 和 8。",
        "Las respuestas son -3 y 8.",
    ],
)
def test_values_may_be_joined_in_another_language(response: str) -> None:
    assert score("-3, 8", response) == 1.0
    assert score("-3, 9", response) == 0.0


def test_units_in_another_script_are_converted_and_compared() -> None:
    assert score(r"3\text{ m}", r"\boxed{300 \text{ см}}") == 1.0
    assert score(r"3\text{ m}", r"\boxed{3 \text{ км}}") == 0.0
    assert score("3 km", "答案是3公里。") == 1.0
    assert score("3 km", "答案是3米。") == 0.0
    assert score("96", "Das sind 96 Minuten.", "Wie viele Minuten sind 1,6 Stunden?") == 1.0
    assert score("96", "Das sind 96 Sekunden.", "Wie viele Minuten sind 1,6 Stunden?") == 0.0
    assert score("96", "Ce sont 96 heures.", "Combien de minutes dure-t-il ?") == 0.0


def test_wide_digits_and_marks_are_plain_ones() -> None:
    assert score("58", "答案：５８") == 1.0
    assert score("58", r"\boxed{５８}") == 1.0
    assert score("58", "الجواب هو ٥٨") == 1.0
    assert score("(5, 8)", r"\boxed{（5，8）}") == 1.0


def test_letters_that_only_look_like_variables_are_no_unit() -> None:
    assert score("5", r"\boxed{5х}") == 0.0  # a Cyrillic letter
    assert score("5", r"\boxed{5ху}") == 0.0


GERMAN = "Wie viele Einwohner hat die Stadt nach zehn Jahren, wenn sich die Zahl verdoppelt?"


def test_dots_group_thousands_where_the_prompt_is_in_a_language_that_writes_them_so() -> None:
    assert score("2500", "Die Stadt hat 2.500 Einwohner.", GERMAN) == 1.0
    assert score("2500", "The city has 2.500 inhabitants.", "How many inhabitants does the city have?") == 0.0


@pytest.mark.parametrize(
    ("reference", "response", "prompt"),
    [
        ("36", "PPCM(12, 18) = 36. Réponse : trente-six.", ""),
        ("366", "Il y a trois cent soixante-six jours.", "Combien de jours ?"),
        ("366", "trescientos sesenta y seis", "Resuelve."),
        ("42", "Es sind zweiundvierzig.", "Wie viele?"),
        ("15", "Ответ: пятнадцать простых чисел.", "How many primes are there below 50?"),
        ("366", "триста шестьдесят шесть дней", "Сколько дней?"),
        ("2500000", "2,5 millones de habitantes", "¿Cuántos habitantes hay?"),
        ("20 m/s", "72 ÷ 3,6 = 20 mètres par seconde", "Convert 72 km/h to m/s."),
        ("20 m/s", "20 Meter pro Sekunde", "Convert 72 km/h to m/s."),
    ],
)
def test_numbers_and_rates_in_the_words_of_a_language_are_read(reference: str, response: str, prompt: str) -> None:
    assert score(reference, response, prompt) == 1.0
    assert score(reference.replace("6", "7").replace("5", "4").replace("2", "3"), response, prompt) == 0.0


def test_a_number_in_words_that_is_denied_is_no_answer() -> None:
    assert score("12", "Son once, no doce.", "¿Cuántos?") == 0.0


def test_emphasis_may_stand_in_the_middle_of_chinese_text() -> None:
    assert score("49/4", "最后的结果是**49/4 ≈ 12.25**。") == 1.0
