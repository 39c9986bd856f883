"""What stands in for identifiers is the same for the same, and one use tells nothing of another."""

from __future__ import annotations

import hmac

from hypothesis import given
from hypothesis import strategies as st

from radcal.system.quoting import quotable_id
from radcal.workspace.stand_ins import FARTHEST, StandIns


@given(st.binary(min_size=1, max_size=64), st.text())
def test_each_use_has_bytes_of_its_own(secret, what):
    its = StandIns(secret)
    made = {kind: hmac.digest(secret, f"{kind} {what}".encode("utf-8", "surrogatepass"), "sha256")
            for kind in ("shift", "number", "file")}  # fmt: skip
    assert its.file(what) == made["file"][:4].hex()
    n = int.from_bytes(made["shift"][:8], "big") % (2 * FARTHEST) - FARTHEST
    assert its.shift(what).days == (n if n < 0 else n + 1)
    assert 1 <= abs(its.shift(what).days) <= FARTHEST
    assert its.number(what) == f"R{int.from_bytes(made['number'][:8]) % 10**15:015}"
    assert its.number(what) == StandIns(secret).number(what)


def test_a_folder_named_after_a_patient_shows_nothing_of_the_patients_shift():
    its, bare = StandIns(b"s" * 32), hmac.digest(b"s" * 32, b"PAT-1000", "sha256")
    assert its.file("PAT-1000") != bare.hex()[:8]
    shown = int.from_bytes(bytes.fromhex(its.file("PAT-1000")) + bytes(4), "big") % (2 * FARTHEST)
    assert its.shift("PAT-1000").days not in {shown - FARTHEST, shown - FARTHEST + 1}


def test_a_number_may_always_be_quoted_and_fits_into_dicom() -> None:
    numbers = [StandIns(b"x" * 32).number(f"A{n}") for n in range(500)]
    assert {quotable_id(number) for number in numbers} == set(numbers)
    assert {len(number) for number in numbers} == {16}
