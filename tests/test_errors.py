from lengthwise.errors import unknown_name


def test_unknown_name_gives_the_nearest():
    assert "did you mean 'lex-locate'?" in str(unknown_name("config", "lex-lokate", ["lex-locate", "unary-all"]))


def test_unknown_name_without_a_near_one_still_lists_all():
    assert str(unknown_name("config", "zzz", ["a", "b"])) == "unknown config 'zzz': Known: a, b"
