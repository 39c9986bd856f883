"""Pages of a PDF as pictures: the one module that talks to PDFium.

PDFium may be used by one thread at a time: call these functions in the worker only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from radcal.feedback.records import PageImage, PdfPage
from radcal.system.errors import EngineError

if TYPE_CHECKING:
    import pypdfium2

POINTS_PER_INCH = 72.0
MOST_PIXELS = 60_000_000
"""A page larger than this is drawn as large as this allows; 600 dpi on A4 are 35 million."""


def pdf_pages(pdf: bytes) -> tuple[PdfPage, ...]:
    """Size and text of each page.

    Raises:
        EngineError: the bytes are no PDF.
    """
    with _opened(pdf) as document:
        pages = []
        for page in document:
            text = page.get_textpage()
            width, height = page.get_size()
            pages.append(PdfPage(width, height, text.get_text_bounded()))
            text.close()
            page.close()
        return tuple(pages)


def page_images(pdf: bytes, numbers: Sequence[int], dpi: float) -> Iterator[PageImage]:
    """Pages as pictures on white, one after the other.

    Args:
        pdf: the document.
        numbers: which pages, from 0.
        dpi: dots per inch of paper, above 0; less where a page would have more than MOST_PIXELS.

    Raises:
        EngineError: the bytes are no PDF, or a page cannot be drawn.
    """
    with _opened(pdf) as document:
        for number in numbers:
            page = document[number]
            width, height = page.get_size()
            scale = dpi / POINTS_PER_INCH
            scale *= min(1.0, (MOST_PIXELS / (width * height * scale * scale)) ** 0.5)
            # Four bytes a pixel, blue first, the fourth unused: what screens and printers take without a copy.
            bitmap = page.render(scale=scale, prefer_bgrx=True, rev_byteorder=False, force_bitmap_format=_BGRX)
            yield PageImage(number, bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer))
            bitmap.close()
            page.close()


_BGRX = 3
"""FPDFBitmap_BGRx."""


@contextmanager
def _opened(pdf: bytes) -> Iterator[pypdfium2.PdfDocument]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError:
        raise EngineError(
            "The pages could not be read back to be shown. Make them again; if that does not help, save them as PDF "
            "and open the file in another program."
        ) from None
    try:
        yield document
    finally:
        document.close()
