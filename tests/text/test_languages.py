"""A language is named where a text tells it; a doubtful one is none, rather than a wrong one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.text.languages import common_words, language_code, language_name, language_of

SENTENCES = {
    "en": "The roof of the boathouse is to be mended in spring, when it has been dry for a week.",
    "de": "Das Dach der Werft wird im Frühling von zwei Leuten geflickt, wenn es trocken ist.",
    "fr": "Le toit de la maison est réparé par deux personnes, avec les outils qui sont ici.",
    "es": "El tejado de la casa se arregla en primavera, cuando no llueve y hay más tiempo.",
    "it": "Il tetto della casa è riparato in primavera, quando non piove e gli operai sono qui.",
    "pt": "O telhado da casa é reparado na primavera, quando não chove e há mais tempo para isso.",
    "nl": "Het dak van de werf wordt in het voorjaar hersteld, als het niet te nat is.",
    "sv": "Taket på huset ska lagas till våren, när det inte regnar och vi har mer tid för det.",
    "da": "Taget på huset skal laves til foråret, når det ikke regner, og vi har tid efter jul.",
    "no": "Taket på huset skal lages til våren, og det er ikke noe vi kan gjøre etter jul.",
    "fi": "Talon katto korjataan keväällä, kun ei sada, mutta se on jo nyt huono ja vuotaa.",
    "pl": "Dach domu jest naprawiany na wiosnę, gdy nie pada deszcz i jest więcej czasu dla nas.",
    "cs": "Střecha domu se opravuje na jaře, když neprší a je více času, ale není to ještě jisté.",
    "hu": "A ház tetejét tavasszal javítják meg, ha nem esik az eső, és van még rá idő is.",
    "tr": "Evin çatısı ilkbaharda onarılır, çünkü bu mevsimde yağmur daha azdır ve çok zaman var.",
    "ru": "Крыша дома будет починена весной, когда не идёт дождь и у нас есть время для этого.",
    "uk": "Дах будинку полагодять навесні, коли не йде дощ і є більше часу для цієї роботи.",
    "el": "Η στέγη του σπιτιού επισκευάζεται την άνοιξη.",
    "he": "גג הבית יתוקן באביב כאשר לא יורד גשם.",
    "ar": "يتم إصلاح سقف المنزل في الربيع عندما لا يكون هناك مطر من السماء على المدينة.",
    "ja": "港の事務所は午前七時に開きます。",
    "zh": "港口办公室早上七点开门，下午五点关门。",
    "ko": "항구 사무실은 오전 일곱 시에 문을 엽니다.",
    "th": "สำนักงานท่าเรือเปิดเวลาเจ็ดโมงเช้า",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_tells_its_language(code: str) -> None:
    """`lang:` would leave out what is in that language, and questions be put in another one."""
    assert language_of(SENTENCES[code]) == code
    long = "\n".join([SENTENCES[code]] * 2_000)
    assert language_of(long) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = y + z; return foo bar baz qux",
        "Rent | 12 | 14\nTea | 3 | 4\nTotal | 15 | 18",
        "Übersicht",
        "Acme Corporation 2024 Berlin Hamburg Wien",
        "αβγ",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
        "I. Plan\n1. First\n  a) inner one\n  b) inner two\n2. Second\n(iii) Rome\nplain\n(i) Oslo",
    ],
)
def test_what_tells_no_language_has_none(text: str) -> None:
    """A filter would bring tables and code of no language as if they were in one."""
    assert language_of(text) == ""


def test_most_of_a_text_decides() -> None:
    """A quotation in Chinese would make an English report a Chinese one."""
    assert language_of(f"{SENTENCES['en'] * 5} {SENTENCES['zh']}") == "en"
    assert language_of(f"{SENTENCES['zh'] * 5} {SENTENCES['en']}") == "zh"


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    """Else one odd file ends an indexing run."""
    assert isinstance(language_of(text), str)


@pytest.mark.parametrize(
    ("written", "code"),
    [("de", "de"), ("de-AT", "de"), ("pt_BR", "pt"), ("German", "de"), ("GERMAN ", "de"),
     ("nb-NO", "no"), ("zh-Hans", "zh"), ("eo", "eo"), ("", ""),
     ("Klingon", ""), ("x-default", "")],
)  # fmt: skip
def test_languages_are_read_as_people_and_files_write_them(written: str, code: str) -> None:
    """A page that calls itself de-AT, or a person who writes German, would find nothing."""
    assert language_code(written) == code
    assert language_name(code) == language_name(language_code(written))


def test_the_commonest_words_of_an_unknown_language_are_none() -> None:
    """The maker of questions would fail on a document whose language is only named."""
    assert common_words("eo") == frozenset()
    assert "the" in common_words("en")
