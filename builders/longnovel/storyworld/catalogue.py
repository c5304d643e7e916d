"""What a story world may hold, as ids without words: every teller has a wording for each, in its own language.

Ids of one tuple are exchangeable: whatever is drawn, another of the tuple could have stood in its place and the story
would be as plausible. That is why a changed summary cannot be told from a true one without reading the novel.
"""

from collections.abc import Mapping
from types import MappingProxyType

# Buildings that people repair, guard and search; each stands at a named place.
STRUCTURES = (
    "mill", "bridge", "granary", "boathouse", "chapel", "tannery", "kiln", "tollhouse", "dyeworks", "icehouse",
    "belltower", "schoolhouse", "smithy", "warehouse", "wellhouse", "brewery",
)  # fmt: skip
# Papers, each known by the name of a family that never enters the story.
PAPERS = (
    "deed", "will", "petition", "map", "charter", "account_book", "marriage_contract", "confession", "lease", "roll",
    "receipt", "diary",
)  # fmt: skip
# Things that one hand can give to another.
OBJECTS = (
    "watch", "lantern", "chess_set", "fiddle", "ring", "telescope", "quilt", "umbrella", "flute", "razor", "inkstone",
    "spectacles", "comb", "kettle", "birdcage", "snuffbox", "saddle", "compass", "scissors", "abacus", "teapot",
    "brooch", "walking_stick", "prayer_book",
)  # fmt: skip
# Verbs by family: what a person does to a structure, to a paper, for and against another person.
DEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "work": ("repair", "whitewash", "survey", "seal", "reopen", "guard", "rent", "search"),
    "paper": ("sign", "forge", "hide", "copy", "burn", "translate", "read_aloud", "steal"),
    "aid": ("nurse", "hide_from_bailiffs", "teach_to_read", "pay_fine", "pull_from_river", "vouch", "lodge", "feed"),
    "quarrel": ("accuse_of_theft", "strike", "insult", "betray", "sue", "spy_on", "cheat_at_cards", "denounce"),
})  # fmt: skip
# Ways in which a thing changes hands for a while or for good.
HANDOVERS = ("give", "lend", "entrust", "bring", "send", "show")
# What came of work on a structure.
OUTCOMES = (
    "found_coins", "caught_fever", "lost_fingers", "never_paid", "praised_by_council", "found_passage",
    "quarrelled_with_owner", "earned_medal", "found_letters", "made_debts",
)  # fmt: skip
# Why someone did it.
MOTIVES = (
    "pride", "fear", "debt", "love", "revenge", "pity", "promise_to_mother", "envy", "curiosity", "loneliness",
    "homesickness", "ambition",
)  # fmt: skip
# What someone went on to do with a structure.
CONTINUATIONS = (
    "moved_press_in", "kept_bees_behind", "let_choir_practise", "hung_bell", "stored_salt", "planted_pear_trees",
    "painted_ship_on_wall", "opened_tea_room", "bred_silkworms", "taught_evening_class",
)  # fmt: skip
# Things that befall a whole place; any of them can bring about any other elsewhere.
INCIDENTS = (
    "strike", "bank_closed", "bridge_shut", "salt_price", "school_closed", "market_moved", "militia_called",
    "tax_raised", "mayor_dismissed", "family_feud", "weavers_left", "newspaper_banned", "fair_cancelled", "mine_sold",
    "coach_stopped", "theatre_closed",
)  # fmt: skip
PURPOSES = (
    "roof", "seed_corn", "lawsuit", "funeral", "wedding", "boat", "school_fees", "medicine", "printing", "horses",
)  # fmt: skip
ORGANISATIONS = (
    "ropemakers", "reading_society", "fire_brigade", "salt_office", "orphans_fund", "water_board", "choir",
    "weights_office", "grain_exchange", "ferrymen", "burial_club", "botanical_society",
)  # fmt: skip
# Where organisations meet: their other name in the story.
HALLS = (
    "over_bakery", "old_customs_house", "behind_theatre", "glass_pavilion", "former_stable", "attic_of_pharmacy",
    "stone_barn", "cellar_of_inn", "tower_room", "ship_chandlery", "disused_foundry", "room_of_mirrors",
)  # fmt: skip
TITLES = ("treasurer", "secretary", "chairman", "inspector", "warden", "archivist", "steward", "notary")
# By which a person is known to everyone: no two people of a world share one.
MARKS = (
    "keeps_bees", "limps", "plays_fiddle", "green_scarf", "raises_pigeons", "mends_clocks", "came_by_sea",
    "never_wears_hat", "sells_ink", "whistles", "paints_signs", "grows_melons", "reads_stars", "cures_hams",
    "carves_spoons", "has_white_dog", "lost_an_ear", "walks_at_night", "collects_stamps", "stammers", "drives_mules",
    "writes_verses", "left_handed", "sleeps_in_loft", "eats_no_meat", "wears_two_watches", "presses_flowers",
    "keeps_parrot", "swims_in_winter", "builds_kites",
)  # fmt: skip
# How two people are related: from the first person's side, the second one is their ...
RELATIONS = ("cousin", "sibling", "in_law", "landlord", "employer", "creditor", "teacher", "partner")
# Relation -> kind of the thing or person through which it shows: both have to do with the same one.
HOOKS: Mapping[str, str] = MappingProxyType({
    "cousin": "offstage", "sibling": "offstage", "in_law": "offstage", "landlord": "house", "employer": "works",
    "creditor": "note", "teacher": "school", "partner": "boat",
})  # fmt: skip
PLACES = ("village", "town", "hamlet", "harbour")
UNITS = ("money", "men", "years", "days")
# Names that every teller has at least: of women, of men, families, places, and of hooks (houses, boats, works).
NAMES: Mapping[str, int] = MappingProxyType({"women": 80, "men": 80, "families": 120, "places": 60, "hooks": 80})
