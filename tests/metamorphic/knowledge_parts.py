"""Parts that responses are composed of, written from what people and models write, without a look at any word list.

`{c}` is the answer that the response commits itself to, `{y}` another thing of the same kind, `{s}` a sentence that
asserts `{c}`, `{np}` the thing asked for, `{e}` a remark that names `{y}` and does not answer. A capital name has a
capital first letter. Every second line of each part is held out, and so is every second question: what is mended with
knows neither.
"""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """A question, things of the kind that it asks for, sentences that answer with one, remarks that do not."""

    prompt: str
    things: tuple[str, ...]
    np: str
    says: tuple[str, ...]
    remarks: tuple[str, ...]


LEADS = """
Good question.
Sure!
Let me think.
Of course.
I looked this up only last week.
That is an easy one.
This comes up in a lot of quizzes.
Happy to help.
There is some history behind this.
Okay, here goes.
It took me a moment to remember.
Thanks for the question!
Many textbooks deal with this.
Let's take it slowly.
I remember reading about this at school.
Hmm, interesting.
"""
COMMITS = """
{c}
{s}
it is {c}
it's {c}
the answer is {c}
{np} is {c}
I'd say {c}
I believe {s}
{c}, I think
that would be {c}
my answer is {c}
answer: {c}
as far as I know, {s}
it must be {c}
I am fairly sure that {s}
I'm quite certain it's {c}
to put it briefly, {s}
in one word: {c}
it has to be {c}
it was {c} all along
we can say that {s}
you are looking for {c}
the one you mean is {c}
the right one is {c}
**{c}**
<b>{c}</b>
so {s}
clearly, {s}
the response: {c}
{np}: {c}
"""
BEFORE = """
Although {e},
While {e},
Even though {y} is named quite often,
Though some would name {y},
Despite what is often said about {y},
Whatever you may have heard about {y},
Unlike what the fans of {y} say,
Contrary to those who name {y},
{E}, but
{E}, yet
You might expect {y}, but
One could think of {y}; however,
Not {y}:
Rather than {y},
{Y} is tempting, but
{Y} comes to mind first, but
Leaving {y} aside,
Setting {y} aside,
If you thought of {y}, you were close, but
If you said {y}, that's a near miss;
"""
BEHIND = """
, not {y}
 and not {y}
, rather than {y}
 instead of {y}
 (not {y})
 (and certainly not {y})
, although {e}
, though {e}
; {e}
 - {e}
, whereas {e}
, while {e}
, even if {y} is named quite often
, even if many would say {y}
, which has nothing to do with {y}
, which should not be confused with {y}
, in contrast to {y}
, as opposed to {y}
, and never {y}
, never {y}
, whatever they say about {y}
, no matter what is said about {y}
; {y} was never the one
; {y} is not the one
, because {e}
, since {e}
, but {e}
, but {y} is worth a look too
 (see also {y})
 (cf. {y})
"""
ASIDES = """
{E}.
{E}, by the way.
See also: {y}.
Compare: {y}.
{Y} is a different story.
{Y} is another matter.
For comparison, look at {y}.
It is interesting to compare this with {y}.
Not to be confused with {y}.
Please don't mix it up with {y}.
{Y} is often mentioned in this connection.
{Y} often appears in the same chapter.
People sometimes confuse it with {y}.
Some people mistake it for {y}.
There is a good documentary about {y}.
I once read a long article about {y}.
It is not {y}.
It was never {y}.
{Y} would be wrong.
{Y} is incorrect.
{Y} has nothing to do with it.
{Y} plays no part in this.
Next to it in the list stands {y}.
On the next page you will find {y}.
(Related: {y}.)
(Further reading: {y}.)
Much has been written about {y} as well.
Books about {y} are popular too.
As for {y}, {e}.
Speaking of {y}, {e}.
"""
FIRST = """
At first I thought of {y}.
My first guess was {y}.
Is it {y}? No.
{Y}? No, that is wrong.
It is tempting to say {y}.
One is tempted to answer {y}.
Many people say {y}.
Most people would answer {y}.
A common mistake is {y}.
A popular but wrong answer is {y}.
I nearly wrote {y}.
I almost answered {y}.
{E}. That is not what was asked, though.
{E}. But that is beside the point.
"""
TURNS = """
No, wait, that's wrong.
Sorry, I made a mistake.
Actually, no.
Hold on, let me correct that.
Scratch that.
I take that back.
On second thoughts, that is not right.
Correction:
"""
HEDGES = """
, though it might be {y}
, but it could also be {y}
, or perhaps {y}
, or maybe {y}
. Or is it {y}?
. Or was it {y}?
. It could also be {y}.
. It might just as well be {y}.
, possibly {y}
, alternatively {y}
. {Y} is just as likely.
. {Y} is equally possible.
 or {y}, I can't decide
 or {y}, one of the two
"""
OUTS = """
I hope this helps!
Let me know if you need more.
This is widely documented.
Sources agree on this.
Feel free to ask a follow-up question.
You can find more in any encyclopedia.
That's all I can say about it.
Hope that answers your question.
I am happy to explain more.
There is a lot more to read about it.
Have a nice day!
Good luck with the quiz!
"""
NAMES_ONLY = """
{E}.
{E}, I'm told.
I know little about this, but {e}.
Hard to say; {e}.
All I can tell you is that {e}.
What I do know is that {e}.
See {y}.
Compare {y}.
{Y} is a different story.
{Y} is quite another matter.
There is a chapter about {y} in my book.
There is a page about {y}, I think.
Something to do with {y}.
Someone close to {y}.
"""

PEOPLE = ("{y} came to the same topic much later", "earlier work by {y} had pointed in the same direction",
          "{y} is better known", "{y} lived in another century", "critics admired {y} as well",
          "a museum is dedicated to {y}", "{y} took a different path",
          "the letters of {y} are worth reading")  # fmt: skip
PLACES = ("{y} is much larger", "the journey there from {y} takes a day", "{y} is older", "{y} lies further south",
          "most visitors arrive in {y}", "a train goes to {y} every hour", "{y} is famous for its food",
          "the weather in {y} is better")  # fmt: skip
THINGS = ("{y} is more common elsewhere", "a lot has been written about {y}", "{y} is easier to spell",
          "{y} is a separate topic", "{y} has other uses", "schoolbooks also deal with {y}",
          "{y} comes up in other questions", "the word {y} has a different origin")  # fmt: skip
YEARS = ("much else happened in {y}", "a stamp was issued in {y}", "a film about it came out in {y}",
         "the archive was moved in {y}")  # fmt: skip

QUESTIONS = (
    Asked("What is the capital of Norway?", ("Oslo", "Bergen", "Trondheim"), "the capital of Norway",
          ("the capital of Norway is {x}", "{x} is the capital of Norway", "Norway's capital is {x}"), PLACES),
    Asked("What's the capital of New Zealand?", ("Wellington", "Auckland", "Christchurch"),
          "the capital of New Zealand", ("{x} is the capital of New Zealand", "New Zealand's capital is {x}",
          "the capital is {x}"), PLACES),
    Asked("Who wrote the play The Glass Harbour?", ("Max Brun", "Ida Holm", "Peter Lang"),
          "the author of The Glass Harbour", ("{x} wrote The Glass Harbour", "The Glass Harbour was written by {x}",
          "the play was written by {x}"), (*PEOPLE, "{y} wrote a novel", "{y} wrote the play Winter Light")),
    Asked("Who wrote the opera The Silver Lake?", ("Anna Roth", "Karl Marsh", "Jonas Feld"),
          "the composer of The Silver Lake", ("{x} wrote The Silver Lake", "the opera was composed by {x}",
          "The Silver Lake is by {x}"), (*PEOPLE, "{y} wrote two symphonies", "{y} wrote the opera The Red Tower")),
    Asked("Who discovered penicillin?", ("Alexander Fleming", "Louis Pasteur", "Robert Koch"),
          "the discoverer of penicillin", ("{x} discovered penicillin", "penicillin was discovered by {x}",
          "it was discovered by {x}"), (*PEOPLE, "{y} discovered a vaccine", "{y} worked in another laboratory")),
    Asked("Who invented dynamite?", ("Alfred Nobel", "Ascanio Sobrero", "James Watt"), "the inventor of dynamite",
          ("{x} invented dynamite", "dynamite was invented by {x}", "its inventor was {x}"),
          (*PEOPLE, "{y} invented a pump", "{y} made other inventions")),
    Asked("Which river flows through Vienna?", ("Danube", "Rhine", "Elbe"), "the river that flows through Vienna",
          ("the {x} flows through Vienna", "Vienna lies on the {x}", "the river is the {x}"),
          ("the {y} flows through other cities", "the {y} is shorter", "ships sail on the {y} too",
           "the {y} rises in the mountains")),
    Asked("What is the highest mountain in Africa?", ("Kilimanjaro", "Mount Kenya", "Ras Dashen"),
          "the highest mountain in Africa", ("the highest mountain in Africa is {x}",
          "{x} is the highest mountain in Africa", "Africa's highest mountain is {x}"),
          ("{y} is easier to climb", "{y} has fewer visitors", "{y} lies in a national park",
           "the path up {y} is steep")),
    Asked("Which company makes the iPhone?", ("Apple", "Samsung", "Nokia"), "the company that makes the iPhone",
          ("{x} makes the iPhone", "the iPhone is made by {x}", "the iPhone comes from {x}"),
          ("{y} makes other phones", "{y} has more employees", "{y} was founded earlier", "{y} sells televisions")),
    Asked("Which company developed Windows?", ("Microsoft", "IBM", "Oracle"), "the company that developed Windows",
          ("{x} developed Windows", "Windows was developed by {x}", "Windows is a product of {x}"),
          ("{y} developed other systems", "{y} sells databases", "{y} has its seat elsewhere",
           "{y} hired many engineers")),
    Asked("Which gas makes up most of the air?", ("nitrogen", "oxygen", "argon"),
          "the gas that makes up most of the air",
          ("most of the air is {x}", "{x} makes up most of the air", "the air consists mostly of {x}"), THINGS),
    Asked("Which metal is liquid at room temperature?", ("mercury", "copper", "zinc"),
          "the metal that is liquid at room temperature", ("{x} is liquid at room temperature",
          "the metal is {x}", "the only liquid metal is {x}"), THINGS),
    Asked("In what year did the Titanic sink?", ("1912", "1907", "1915"), "the year when the Titanic sank",
          ("the Titanic sank in {x}", "it sank in {x}", "the ship went down in {x}"), YEARS),
    Asked("In which year did World War II end?", ("1945", "1939", "1950"), "the year when World War II ended",
          ("World War II ended in {x}", "the war ended in {x}", "it ended in {x}"), YEARS),
    Asked("Where was Mozart born?", ("Salzburg", "Vienna", "Prague"), "the birthplace of Mozart",
          ("Mozart was born in {x}", "he was born in {x}", "his birthplace is {x}"), PLACES),
    Asked("Where is the Eiffel Tower?", ("Paris", "Lyon", "Nice"), "the city of the Eiffel Tower",
          ("the Eiffel Tower is in {x}", "it stands in {x}", "you find it in {x}"), PLACES),
    Asked("Who directed the film Psycho?", ("Alfred Hitchcock", "Orson Welles", "Billy Wilder"),
          "the director of Psycho", ("{x} directed Psycho", "Psycho was directed by {x}", "the director was {x}"),
          (*PEOPLE, "{y} directed a comedy", "{y} directed the film Vertigo Road")),
    Asked("Who painted The Night Watch?", ("Rembrandt", "Vermeer", "Rubens"), "the painter of The Night Watch",
          ("{x} painted The Night Watch", "The Night Watch was painted by {x}", "the painting is by {x}"),
          (*PEOPLE, "{y} painted a landscape", "{y} painted The Old Bridge")),
    Asked("Which country hosted the 2006 World Cup?", ("Germany", "Italy", "Brazil"), "the host of the 2006 World Cup",
          ("{x} hosted the 2006 World Cup", "the 2006 World Cup was held in {x}", "it took place in {x}"),
          ("{y} hosted another tournament", "{y} has more stadiums", "{y} is a popular destination",
           "{y} sent a strong team")),
    Asked("Which country sold Alaska to the United States?", ("Russia", "Canada", "Spain"),
          "the country that sold Alaska", ("{x} sold Alaska to the United States", "Alaska was sold by {x}",
          "the United States bought it from {x}"),
          ("{y} sold other lands", "{y} had a colony nearby", "{y} signed another treaty", "{y} is further away")),
    Asked("What is the currency of Poland?", ("zloty", "koruna", "forint"), "the currency of Poland",
          ("the currency of Poland is the {x}", "Poland uses the {x}", "people in Poland pay with the {x}"),
          ("the {y} is used elsewhere", "the {y} has coins of its own", "the {y} is a separate topic",
           "the {y} lost value last year")),
    Asked("Which organ pumps the blood?", ("heart", "lung", "liver"), "the organ that pumps the blood",
          ("the {x} pumps the blood", "the blood is pumped by the {x}", "the organ is the {x}"),
          ("the {y} has other tasks", "the {y} is larger", "the {y} is a separate topic",
           "doctors also examine the {y}")),
    Asked("Who succeeded Franklin Roosevelt as president?", ("Harry Truman", "Herbert Hoover", "Adlai Stevenson"),
          "the successor of Franklin Roosevelt", ("{x} succeeded Franklin Roosevelt",
          "Roosevelt was succeeded by {x}", "his successor was {x}"), (*PEOPLE, "{y} ran for another office")),
    Asked("Who founded the newspaper The Morning Star?", ("Clara Wood", "Henry Stone", "Robert Vale"),
          "the founder of The Morning Star", ("{x} founded The Morning Star", "The Morning Star was founded by {x}",
          "the newspaper was founded by {x}"), (*PEOPLE, "{y} founded a school", "{y} founded a rival newspaper")),
    Asked("Which language is spoken in Iran?", ("Persian", "Arabic", "Turkish"), "the language spoken in Iran",
          ("the language spoken in Iran is {x}", "{x} is spoken in Iran", "people in Iran speak {x}"),
          ("{y} is spoken in other countries", "{y} has another alphabet", "many songs are sung in {y}",
           "{y} is harder to learn")),
    Asked("Which planet is closest to the Sun?", ("Mercury", "Venus", "Mars"), "the planet closest to the Sun",
          ("{x} is the planet closest to the Sun", "the closest planet to the Sun is {x}",
          "{x} is closest to the Sun"),
          ("{y} is larger", "a probe was sent to {y}", "{y} can be seen in the evening", "{y} has a thick atmosphere")),
)  # fmt: skip
