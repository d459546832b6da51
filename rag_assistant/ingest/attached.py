"""What is attached to a mail becomes entries of its own, read by the loader of its name, with the
mail as their place. One that cannot be read costs nothing else, and the mail says why it is not
there.
"""

from dataclasses import dataclass, field, replace

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import image, load, loader_for, why_none
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.values.documents import DATE_KEYS, AttachedFile, Document

NOT_READ = "attachments_not_read"
"""The name under which a mail's metadata tells which attachments are no entries, and why."""

_DEEPEST = 3  # mails attached to mails
_LONGEST_NAME = 200
_MOST_TOLD = 20
_OF_THE_MAIL = ("thread", "message_id", "from")


@dataclass(slots=True)
class _Allowance:
    """What is still read of one file's attachments: many pictures would take hours by OCR."""

    files: int = 2_000
    size: int = 200_000_000
    images: int = 20

    def take(self, attached: AttachedFile, *, image_: bool) -> None:
        """Raise LoadError where it is used up."""
        self.files -= 1
        self.size -= len(attached.data)
        self.images -= image_
        if min(self.files, self.size, self.images) < 0:
            raise LoadError("too many are attached")


@dataclass(slots=True)
class Attachments:
    """Reads what is attached to the mails of one file; `without` says why nothing is to be read."""

    source: LoadInput
    without: str = ""
    _allowance: _Allowance = field(default_factory=_Allowance)

    def beside(self, documents: list[Document]) -> list[Document]:
        """Give the documents of a file, then those attached to them."""
        mails: list[Document] = []
        found: list[Document] = []
        for document in documents:
            mail, inner = self._read_all(document, 1)
            mails.append(mail)
            found += inner
        return mails + found

    def _read_all(self, mail: Document, depth: int) -> tuple[Document, list[Document]]:
        """Give a mail that says what of it is not read, and its attachments."""
        if not mail.attached:
            return mail, []
        found: list[Document] = []
        told: list[str] = []
        for attached in mail.attached:
            name = attached.name[:_LONGEST_NAME]
            try:
                found += self._read(attached, mail, depth)
            except LoadError as error:
                told.append(f"{name}: {error.message}")
        if not told:
            return replace(mail, attached=()), found
        more = [f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
        metadata = {**mail.metadata, NOT_READ: "; ".join([*told[:_MOST_TOLD], *more])}
        return replace(mail, attached=(), metadata=metadata), found

    def _read(self, attached: AttachedFile, mail: Document, depth: int) -> list[Document]:
        if self.without:
            raise LoadError(self.without)
        if depth > _DEEPEST:
            raise LoadError("attached too deep")
        loader = loader_for(attached.name, attached.data)
        if loader is None:
            raise LoadError(why_none(attached.name))
        self._allowance.take(attached, image_=loader is image.LOADER)
        source = LoadInput(attached.name, attached.data, most=self.source.most)
        inner = [self._read_all(document, depth + 1) for document in load(loader, source)]
        own = [document for document, _ in inner]
        return [_placed(one, attached.name, mail) for one in own] + [
            _placed(one, attached.name, mail) for _, deeper in inner for one in deeper
        ]


def _placed(document: Document, name: str, mail: Document) -> Document:
    """Give an attachment with the mail that it came with as its place."""
    name = name[:_LONGEST_NAME]
    date = mail.metadata.get("date", "")
    dated = any(key in document.metadata for key in DATE_KEYS)
    facts = {key: mail.metadata[key] for key in _OF_THE_MAIL if key in mail.metadata}
    facts |= {"attachment": name, "attached_to": mail.title}
    if date and not dated:
        facts["date"] = date
    return replace(
        document,
        title=document.title or name,
        key=" / ".join(filter(None, (mail.key, name, document.key))),
        metadata={key: value for key, value in (facts | dict(document.metadata)).items() if value},
        wanted_id=None,
        lines_match_file=False,
    )
