"""A few closed classes of words in Spanish, French, German, Portuguese, Russian, Chinese and Japanese.

Enough to read a short frame around an answer: "es", "no es", "sino", "o", "no sé si". Folded, as tokens are.
"""

from __future__ import annotations

import re

from verifleet.verifiers.knowledge.lists import listed

COPULAS = listed("languages.copulas")
FRAME = frozenset("de das del der die el la le les il elle ce isso este esta это конечно да si oui ja sim".split())
NOT = frozenset("non pas nicht kein keine keinen nao не 不 没 沒 非 ni".split())
"""`no` is Spanish only before one of the copulas, or behind a comma."""
IN = frozenset("en em a in im à au".split())
PORTUGUESE = frozenset("em um uma do dos nao sao ao".split())
OR = frozenset("o ou oder или либо 或 または か".split())
_UNSURE = (
    r"\bno s[eé] si\b|\bne sais pas\b|\bweiß nicht\b|\bweiss nicht\b|\bn[aã]o sei\b|\bне знаю\b|не уверен"
    r"|不知道|不确定|不確定|かどうか|分かりません|わかりません"
)
MAYBE = frozenset("quizas quiza tal peut vielleicht talvez soit либо возможно может 可 許 许".split())
"""`tal vez`, `peut-être`, `soit ... soit`, `可能`."""
UNSURE = re.compile(_UNSURE, re.IGNORECASE)
DENIED_BEHIND = re.compile(r"^[\"'”’*_»」』)]*\s?(?:[A-Za-z°]{1,3}\s?)?(?:(?:では|じゃ)(?:な|あり)|不是)")
