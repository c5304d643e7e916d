from itertools import combinations

import pytest

from lengthwise.evaluators.figures.labels import Box, Placed, place_names

FRAME = Box(0, 0, 300, 200)


def placed(points: list[tuple[float, float]], width: float = 60, bars: tuple[Box, ...] = ()) -> list[Placed]:
    found = place_names(points, bars, [(width, 10.0)] * len(points), FRAME, 3)
    assert found is not None
    return found


def test_a_lone_point_has_its_name_to_the_right():
    assert placed([(100, 100)]) == [Placed(Box(105, 95, 60, 10), 0)]


def test_at_the_right_edge_the_name_goes_to_the_left():
    assert placed([(290, 100)])[0].box == Box(225, 95, 60, 10)


def test_an_interval_is_not_written_over():
    (one,) = placed([(100, 100)], bars=(Box(130, 50, 1, 100),))
    assert not one.box.meets(Box(130, 50, 1, 100))


@pytest.mark.parametrize("gap", [2, 7, 15])
def test_names_lie_neither_on_each_other_nor_on_points(gap: int):
    points = [(120.0 + gap * number, 100.0 + 5 * (number % 3)) for number in range(8)]
    found = placed(points)
    assert not any(one.box.meets(other.box) for one, other in combinations(found, 2))
    dots = [Box(x - 3, y - 3, 6, 6) for x, y in points]
    assert not any(one.box.meets(dot) for one in found for dot in dots)
    assert all(one.box.within(FRAME) for one in found)


def test_a_name_that_is_pushed_away_is_led_to_its_point():
    assert any(one.led for one in placed([(150.0, 100.0 + number) for number in range(6)]))


def test_names_that_do_not_fit_have_no_place():
    assert place_names([(150, 100)], [], [(400, 10)], FRAME, 3) is None
    assert place_names([(150, 100)] * 40, [], [(100, 10)] * 40, FRAME, 3) is None
