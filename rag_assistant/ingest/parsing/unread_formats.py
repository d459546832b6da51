"""What files are that nothing here reads, by their suffixes, and what would make them readable: the
words of the ledger for them.
"""

_PDF = "export it as PDF"
_OFFICE = "open it in LibreOffice and save it as DOCX or PDF"
_BOOK = "convert it to EPUB with calibre"
_SPEECH = "put a transcript or subtitles (.srt, .vtt) beside it"
_MAIL = "export its mails as EML or MBOX"
_IMAGE = "save it as PNG, TIFF or PDF"
_DRAWING = "export it from its program as PDF"
_DATABASE = "export its tables as CSV or JSON"

_KINDS = (
    ("OneNote", _PDF, "one onetoc2 onepkg"),
    ("Publisher", "open it in LibreOffice Draw and export it as PDF", "pub"),
    ("Visio", "open it in LibreOffice Draw and export it as PDF", "vsd vsdx vsdm vss vdx"),
    ("WordPerfect", _OFFICE, "wpd wp wp5 wp6"),
    ("Works", _OFFICE, "wps wks wdb"),
    ("Lotus", _OFFICE, "lwp 123 wk1 wk3 wk4"),
    ("Quattro Pro", _OFFICE, "qpw wb1 wb2 wb3"),
    ("StarOffice", _OFFICE, "sdw sdc sdd sxw sxc sxi"),
    ("ClarisWorks", _OFFICE, "cwk"),
    ("Hangul", "export it as DOCX or PDF from its program", "hwp hwpx"),
    ("Project", _PDF, "mpp"),
    ("Access", _DATABASE, "mdb accdb"),
    ("database", _DATABASE, "db sqlite sqlite3 db3 dbf fp7 fmp12 odb"),
    ("Parquet or Arrow", "export it as CSV or JSON lines", "parquet feather arrow avro orc"),
    ("statistics", _DATABASE, "sav zsav por dta sas7bdat xpt rdata rds mat"),
    ("data of a program", _DATABASE, "npy npz pkl pickle joblib h5 hdf5 nc"),
    ("map", "export it as GPX, KML or CSV", "shp kmz gpkg"),
    ("encrypted file", "decrypt it", "gpg pgp age kdbx"),
    ("XPS", "print it as PDF", "xps oxps"),
    ("DjVu", "convert it to PDF, for instance with ddjvu", "djvu djv"),
    ("PostScript", "convert it to PDF, for instance with ps2pdf", "ps eps"),
    ("Kindle e-book", _BOOK, "mobi azw azw3 azw4 kfx prc"),
    ("e-book", _BOOK, "lit lrf pdb"),
    ("comic", "convert its pages to PDF", "cbz cbr cb7"),
    ("HTML Help", "unpack it into web pages, for instance with 7-Zip", "chm"),
    ("Outlook archive", _MAIL, "pst ost olm"),
    ("Outlook Express", _MAIL, "dbx"),
    ("Safari web archive", "save the page as PDF", "webarchive"),
    ("Scrivener", "compile it to DOCX or PDF", "scrivx"),
    ("InDesign", _DRAWING, "indd idml"),
    ("Illustrator or Photoshop", _DRAWING, "ai psd xd sketch fig afdesign afphoto afpub"),
    ("CAD drawing", _DRAWING, "dwg dwf"),
    ("drawing", _DRAWING, "svg drawio cdr wmf emf"),
    ("photograph", _IMAGE, "heic heif avif jp2 jxl raw cr2 nef dng arw"),
    ("sound", _SPEECH, "mp3 m4a wav flac ogg opus aac wma aiff amr"),
    ("film", _SPEECH, "mp4 mov mkv avi webm wmv m4v mpg mpeg 3gp flv"),
)
_BY_SUFFIX = {
    f".{suffix}": (kind, step) for kind, step, suffixes in _KINDS for suffix in suffixes.split()
}


def what_reads(suffix: str) -> str:
    """Name the format of a suffix (in lower case, with its dot) and what helps; "" if unknown."""
    kind, step = _BY_SUFFIX.get(suffix, ("", ""))
    return f"{kind}; to have it read, {step}" if kind else ""
