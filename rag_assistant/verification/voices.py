"""The voice of the built-in model: what is claimed of the passages that it quotes.

It copies, so its words prove nothing, and whether they answer is a chance. That is fitted for the
first quote; where it is high, the model answers, where it is fair, it probably does, and otherwise
the nearest passages are shown, of which nothing is claimed. Nothing that was found is withheld.
"""

from dataclasses import replace

from rag_assistant.claims.confidence import Judgement, judged_by
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.values.evidence import Answer, Refusal
from rag_assistant.values.support import Sentence
from rag_assistant.values.voice import Voice, spoken
from rag_assistant.verification.chance_weights import ANSWER, CHANCE, PROBABLY
from rag_assistant.verification.question_fit import question_fit
from rag_assistant.verification.signals import Looked
from rag_assistant.verification.widening import searched, ways_to_widen, worst


def voice_of(chance: float) -> Voice:
    """Choose the voice of a chance, from 0 to 1."""
    if chance >= ANSWER:
        return Voice.ANSWER
    return Voice.PROBABLY if chance >= PROBABLY else Voice.NEAREST


def with_voice(
    answer: Answer, found: SearchedDatabases, looked: Looked, *, names_more: bool, ended: bool
) -> Answer:
    """Give what the built-in model quotes in the voice that it has the chance for.

    `looked` is what speaks for its first citation, `names_more` says that the question names what
    nothing that is cited does. Where its run has not `ended`, the chance alone is told, and where
    nothing is cited, there is none.
    """
    if not answer.citations:
        return answer
    judgement = Judgement(0.0)
    if answer.citations[0].item.verified:
        own = {signal.name: signal.value for signal in answer.signals}
        own |= question_fit(answer.question, answer.citations[0].item)
        judgement = judged_by(
            CHANCE, {**looked.values, **own, "presupposed": float(not names_more)}
        )
    chance = round(judgement.likelihood, 4)
    answer = replace(
        answer, confidence=judgement.confidence, signals=judgement.signals, chance=chance
    )
    if not ended:
        return answer
    voice = voice_of(chance)
    text = spoken(answer.text, voice, chance)
    if voice is not Voice.NEAREST:
        moved = len(text) - len(answer.text)
        sentences = tuple(_moved(sentence, moved) for sentence in answer.sentences)
        return replace(answer, voice=voice, text=text, sentences=sentences)
    refusal = Refusal(
        worst(judgement) or "no passage stands out from the rest",
        searched(answer.coverage),
        tuple(citation.item for citation in answer.citations),
        tuple(ways_to_widen(answer.coverage, found, looked.unknown)),
    )
    return replace(answer, voice=voice, text=text, sentences=(), refusal=refusal)


def _moved(sentence: Sentence, by: int) -> Sentence:
    return replace(sentence, start=sentence.start + by, end=sentence.end + by)
