"""What a guide is made of."""

from __future__ import annotations

from radcal.findings.model.questions import Trie


def test_the_meaning_of_equal_options_is_the_first() -> None:
    trie = Trie([((1, 2), "a"), ((1, 2), "b"), ((1, 3), "c")])
    assert trie.branches[1].branches[2].meaning == "a"
    assert sorted(trie.branches[1].branches) == [2, 3]
