import pytest

from lengthwise.builders.longnovel.storyworld.telling.decks import Deck, Draws


@pytest.mark.parametrize("size", [1, 2, 3, 4, 10, 31])
def test_every_line_comes_up_once_before_any_comes_up_twice(size):
    deck = Deck(size, Draws("decks", size))
    for _ in range(50):
        assert sorted(deck.draw() for _ in range(size)) == list(range(size))


@pytest.mark.parametrize("size", [2, 3, 4, 10, 31])
def test_a_line_does_not_come_back_within_a_third_of_the_deck(size):
    deck = Deck(size, Draws("decks", size))
    drawn = [deck.draw() for _ in range(100 * size)]
    gaps = [drawn[place + 1 :].index(line) + 1 for place, line in enumerate(drawn[: -2 * size])]
    assert min(gaps) > size // 3


def test_rounds_come_in_different_orders():
    deck = Deck(20, Draws("decks"))
    assert len({tuple(deck.draw() for _ in range(20)) for _ in range(30)}) == 30


def test_every_line_comes_first_about_as_often():
    deck = Deck(3, Draws("decks"))
    firsts = [deck.draw() for _ in range(9000)][::3]
    assert all(900 < firsts.count(line) < 1100 for line in range(3))


def test_draws_do_not_depend_on_the_block():
    some, same = Draws("k", 1), Draws("k", 1, block=3)
    assert [some.below(10) for _ in range(100)] == [same.below(10) for _ in range(100)]


def test_weights_are_kept():
    draws = Draws("weights")
    drawn = [draws.weighted([1, 0, 3]) for _ in range(4000)]
    assert drawn.count(1) == 0
    assert 900 < drawn.count(0) < 1100


def test_numbers_are_spread_one_in_each_part():
    spread = Draws("spread").spread(10, 0.0, 1.0)
    assert [int(10 * number) for number in spread] == list(range(10))
