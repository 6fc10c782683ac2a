"""Rewards for trainers: a thin adapter for each, in a module of its own, over what is here.

A reward judges by a verifier in this process, named (`"math"`) or given (`MathVerifier()`), or by a `VerifierClient`
of a deployed one. Rewards can be pickled: what they judge by is made anew where they come out.

Three things are never a score. A row without a reference for the verifier abstains: None. A reference that can't be
used raises RewardReferenceError, a ValueError, with column, row and fault at once. A fault of ours is what `on_error`
says, because trainers differ in what they make of None and of exceptions:

- `none`: None, for trainers that leave such a row out (TRL only where no other reward scores it), refused for others;
- `raise`: VerifierUnavailableError, where that stops the training or has the row asked again;
- `mean`: the mean of what was judged for the same prompt, so that it has no advantage of its own; where nothing was,
  None if the trainer leaves such a prompt out of its baseline, else the mean of the same call, else of late;
- `zero`: 0.0, which punishes the model for our fault; never a default.

An adapter's `default_on_error` is the first of these that fits its trainer:

1. it has a word for "no score", told of each row: `none`, with `leaves_out`;
2. it makes a score of an exception, or goes on without one: `mean`, called in `unswallowed()`;
3. it hands over a whole batch and takes None for a row: `mean`, since a fault of one row should not end the run;
4. else an exception is all that is left to say, and stops it, drops the rollout or has it asked again: `raise`.

All that holds once something was judged. What never could be, from the start on, is asked again for half a minute and
then raised, as StopTrainingError where the trainer would swallow an exception, so that no training runs on nothing.
"""

from verifleet.messages import prompt_text, text_of
from verifleet.rewards._judges import Judge, make_verifier
from verifleet.rewards._log import Logged, RewardLog
from verifleet.rewards._reward import Reward, Row
from verifleet.rewards._settle import OnError, Scored

__all__ = [
    "Judge",
    "Logged",
    "OnError",
    "Reward",
    "RewardLog",
    "Row",
    "Scored",
    "make_verifier",
    "prompt_text",
    "text_of",
]
