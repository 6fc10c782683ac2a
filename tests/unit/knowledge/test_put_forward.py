"""What a response puts forward as its answer, and what it only speaks of."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

CAPITAL = "What is the capital of Norland?"
FOUNDER = "Who founded the observatory of Lund?"
ACQUIRED = "Which company acquired Velour in 2014?"
SINKING = "When did the Aurora sink?"


@pytest.mark.parametrize(
    ("question", "right", "wrong", "response"),
    [
        (CAPITAL, "Oslo", "Bergen", "It's Oslo (Bergen is only the second largest city)."),
        (CAPITAL, "Oslo", "Bergen", "Oslo, then Bergen."),
        (CAPITAL, "Oslo", "Bergen", "1. Bergen 2. Oslo 3. Lund. So the title of the capital goes to Oslo."),
        ("Who was mayor when Lund bought the park?", "Otto Brandt", "Greta Lind",
         "The mayor at the time was Otto Brandt. His deputy, Greta Lind, negotiated the price."),
        ("Which treaty ended the war of the two lakes?", "Treaty of Oslo", "Treaty of Bergen",
         "The war of the two lakes ended with the Treaty of Oslo."),
        (CAPITAL, "Oslo", "Bergen", "Bergen. Just kidding, Oslo."),
        ("Which tournament is played on sand?", "Norwegian Open", "French Open", "It is the Norwegian Open."),
        (FOUNDER, "Greta Lind", "Otto Brandt",
         "There are two names, Otto Brandt and Greta Lind. Therefore the founder of the observatory is Greta Lind."),
        (CAPITAL, "Oslo", "Bergen", "Oslo is the capital, so Bergen had to wait for its railway."),
        (CAPITAL, "Oslo", "Bergen", "Bergen lies on the coast. However, the capital is Oslo."),
        (FOUNDER, "Greta Lind", "Otto Brandt",
         "Otto Brandt founded the school, but the observatory was founded by Greta Lind."),
        (FOUNDER, "Greta Lind", "Otto Brandt", "Greta Lind founded it. Otto Brandt founded another one."),
        (ACQUIRED, "Corvex", "Dalton", "Dalton lost the bid to Corvex, which acquired Velour in 2014."),
        (ACQUIRED, "Corvex", "Dalton", "Dalton acquired Tirra in 2012, Corvex acquired Velour in 2014."),
        (SINKING, "May 3, 1910", "May 1, 1910", "It struck a rock on May 1, 1910 and sank on May 3, 1910."),
        ("In which year did Ann Zork win the Lund Prize?", "2001", "1999",
         "She won the Tirra Prize in 1999 and the Lund Prize in 2001."),
        ("Which organ makes insulin?", "pancreas", "liver", "The pancreas makes it, while the liver stores sugar."),
        ("How tall is the tower?", "330 m", "632 m", "Another one is 632 m tall, but it is 330 m tall."),
        ("On which continent is Tirra?", "Asia", "Africa", "Asia, with a small part in Africa"),
        ("How many seats has the hall?", "12", "9", "9 doors, 12 seats."),
        ("In which city is the Tirra museum?", "Lund", "Oslo", "Lund. Oslo has the Zork museum."),
        ("How many songs are in part 1 of Tirra?", "9", "8", "Part 1 has nine songs, and part 3 has 8."),
        ("Who is the founder of the Lund school?", "Greta Lind", "Otto Brandt",
         "Greta Lind founded the Lund school after meeting friends of Otto Brandt."),
        ("Which river runs through Tirra?", "Velm", "Zork", "The Velm runs through Tirra before it joins the Zork."),
        ("Who was king of Norland in 1800?", "Karl II", "Karl III", "Karl II, like Karl III."),
        ("What is the main part of tirra?", "oats", "honey", "The main part is oats, blended with honey."),
        ("Which language did Lind create?", "C++", "C", "Lind created C++, and not C."),
        ("Which blood type is the universal donor?", "O-", "AB+", "O-, while AB+ is the universal recipient"),
        ("Who was king at the time?", "Charles III", "Charles II", "Charles III"),
    ],
)  # fmt: skip
def test_the_one_put_forward_is_the_answer_and_the_other_is_not(
    question: str, right: str, wrong: str, response: str
) -> None:
    assert judge(question, response, right).score == 1.0
    assert judge(question, response, wrong).score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "| Country | Capital |\n|---|---|\n| Norland | Oslo |",
        "| Country | Capital | Largest city |\n|---|---|---|\n| Norland | Oslo | Bergen |\n| Sudria | Molde | Alta |",
        "| Question | Answer |\n| --- | --- |\n| Capital of Norland | Oslo |",
    ],
)
def test_the_cell_of_a_table_that_answers_is_the_answer(response: str) -> None:
    assert judge(CAPITAL, response, "Oslo").score == 1.0
    assert judge(CAPITAL, response, "Bergen").score == 0.0
    assert judge(CAPITAL, response, "Molde").score == 0.0


@pytest.mark.parametrize("response", ["8849", "8 849 m", "8.849 km", "8,849 metres"])
def test_a_height_may_be_written_otherwise(response: str) -> None:
    assert judge("How high is the mountain?", response, "8849 m").score == 1.0


@pytest.mark.parametrize("response", ["8849 feet", "8849 km", "884.9 m"])
def test_another_unit_is_another_height(response: str) -> None:
    assert judge("How high is the mountain?", response, "8849 m").score == 0.0


def test_lists_may_be_long() -> None:
    moons = ["Ariel", "Umbriel", "Titania", "Oberon", "Miranda", "Puck", "Caliban", "Sycorax", "Prospero"]
    question = "Name the moons of the planet."
    assert judge(question, ", ".join(moons), moons).score == 1.0
    assert judge(question, ", ".join(moons[:-1]), moons).score == 0.0


def test_one_more_than_the_question_asks_for_is_one_too_many() -> None:
    question = "Name the three primary colours of light."
    colours = ["red", "green", "blue"]
    assert judge(question, "Red, green and blue", colours).score == 1.0
    assert judge(question, "Red, yellow, green, blue", colours).score == 0.0


CUP = "Which country hosted the 1998 regatta?"


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        (CUP, "Norland", "I believe it was held in Sudria. Norland won the trophy.", 0.0),
        (CUP, "Norland", "Norland was the favourite, but Sudria pulled it off.", 0.0),
        (CUP, "Norland", "Sudria won it, but the regatta was staged in Norland.", 1.0),
        ("Name the wife of Jarl Brun.", "Ida", "His wife was Ellen; Ida was a baker he met on the way home.", 0.0),
        ("Who was the top scorer?", "Max Brun", "Peter Lang was edged out by Max Brun.", 1.0),
        ("What is the tallest tower?", "Old Mill", "Old Mill in Norland doesn't come close. Grey Keep.", 0.0),
        ("Which town has the most wells?", "Alta", "You might think of Molde. By count Alta has far more.", 1.0),
        ("Who wrote the play?", "Max Brun", "See Max Brun.", 0.0),
        ("Which coin is used in Norland?", "dinar", "You'd pay in dinars. Florins are rarely taken there.", 1.0),
        ("Which company bought Tirra?", "Corvex", "Corvex bought Zork. However, it was acquired by Dalton.", 0.0),
        ("Who led Norland in the war?", "Max Brun", "Peter Lang led the country then, taking over from Max Brun.", 0.0),
        ("Who built the engine?", "Max Brun", "Peter Lang built the engine; Max Brun made the tools around it.", 0.0),
        ("Which sea is the largest?", "Grey Sea", "None comes near the Grey Sea.", 1.0),
        ("Where was Ida born?", "Alta, Norland", "Molde; Alta, Norland is only in second place.", 0.0),
        ("Who invented the loom?", "Max Brun", "It was invented by Max Brun in 1876, not Peter Lang.", 1.0),
        ("Which vitamin is it?", "D", "Some wrongly say C. The vitamin is D.", 1.0),
        ("In which town is the school?", "Lund, Sweden", "Lund, the old town in the east of England.", 0.0),
        ("In which town is the school?", "Lund, Sweden", "Lund, the old town in the south of Sweden.", 1.0),
        ("Who is on the five?", "Max Brun", "That leaves Peter Lang for the five and Max Brun for the ten.", 0.0),
        ("Which country is it?", "Norway", "1. Sweden\n2. Norway\n\nSo the prize goes to Sweden.", 0.0),
        ("Which coin is used in Norland?", "dinar", "florin, Dinar, taler", 0.0),
        ("Which coin is used in Norland?", "dinar", "Dinar o taler.", 0.0),
        ("Who proved it?", "Grigori Brunmann", "Grisha Brunmann, who then said no to the prize.", 1.0),
        ("Which type gives to all?", "O-", "AB+, while O- takes from all.", 0.0),
        ("How many sides has it?", "6", "5. 6 comes second.", 0.0),
        ("Who wrote the play?", "Max Brun", "Something to do with Max Brun.", 0.0),
        ("Which gas is the commonest?", "Neon", "Argon dioxide. Neon only matters for lamps.", 0.0),
        ("What is the largest lake?", "Femund", "Femund was long believed to be the largest, but Molde is.", 0.0),
        ("What is the largest lake?", "Femund", "Molde in Norland. Femund used to be thought larger.", 0.0),
        ("In which town is the mill?", "Alta", "It was in Alta until 1992 and has been in Molde since.", 0.0),
        ("Who wrote the play?", "Ida Brun", "Max Brun wrote it; his sister Ida Brun is known for poems.", 0.0),
        ("Who wrote the play?", "Ida Brun", "It was one of the Brun sisters.", 0.0),
        ("Which is the smallest state?", "Norland", "Tirra, as long as you leave out Norland.", 0.0),
        ("Which type gives to all?", "O negative", "A negative gives to all, O negative people don't.", 0.0),
        ("Who succeeded Ida Holm?", "Max Brun", "Close to Sir Max Brun.", 0.0),
        ("What is the longest river?", "Tana", "No river is longer than the Tana.", 1.0),
        ("How many sides has it?", "6", "5 (6 sides is something else).", 0.0),
        ("Which town has the most wells?", "Alta", "Alta used to have the most wells before Molde overtook it.", 0.0),
        ("Which town has the most wells?", "Alta", "Molde has been overtaken by Alta.", 1.0),
        ("Who wrote the play?", "Ida Brun", "It's generally thought to be by Ida Brun, but Max Lang wrote it.", 0.0),
        ("What is the language of Norland?", "Norse", "They speak Norse; English and Danish are common.", 1.0),
        ("Which vitamin helps?", "Vitamin D", "Vitamin C. Vitamin D has to come from food.", 0.0),
        ("How many bones has it?", "206", "It has 206 bones, not 300.", 1.0),
        ("How many bones has it?", "206", "300, but the museum owns 206 skeletons.", 0.0),
        ("Which has atomic number 6?", "Carbon", "Nitrogen has six protons. Carbon has five.", 0.0),
    ],
)
def test_the_clause_that_takes_up_the_question_decides(prompt: str, answer: str, response: str, score: float) -> None:
    assert judge(prompt, response, answer).score == score
