"""The math verifier: extract, parse, compare with the reference, or check what the prompt asks."""

from __future__ import annotations

import re
from typing import ClassVar

from verifleet.verification import BaseVerifier, Judgement, MathReference, MathRequest, VerifierName, WorkerPool
from verifleet.verifiers.math.comparison import Comparison, UndecidedError, elements, expand_signs, named_list
from verifleet.verifiers.math.copying import copied, unevaluated
from verifleet.verifiers.math.expression import Node
from verifleet.verifiers.math.extraction import Answer, NoAnswerError, extract
from verifleet.verifiers.math.parser import parse
from verifleet.verifiers.math.question import Question, fold, read_question
from verifleet.verifiers.math.tokens import MathSyntaxError
from verifleet.verifiers.math.wording import choice_letter, is_wordy, meaning, words
