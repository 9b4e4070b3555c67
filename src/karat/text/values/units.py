"""Units of measure and currencies, and the factors between them."""

import re
from fractions import Fraction

from msgspec import Struct

from karat.text.lexicon import any_case, any_of, word_set

DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"


class Unit(Struct, frozen=True):
    """A dimension, and the factor and offset that convert a value to the base unit."""

    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)


# Dimension: factor and names of each unit. The "calories" of food are kilocalories.
_TABLE = """
length: 0.001 mm millimetre millimeter; 0.01 cm centimetre centimeter; 1 m metre meter; 1000 km kilometre kilometer kms; 0.0254 inch inches; 0.3048 ft foot feet; 0.9144 yd yard; 1609.344 mi mile; 0.000001 μm micrometre micrometer micron; 0.000000001 nm nanometre nanometer; 9460730472580800 light-year lightyear ly
mass: 0.000000001 μg mcg microgram; 0.000001 mg milligram; 0.001 g gram gramme; 1 kg kilogram kilo kgs; 1000 tonne; 0.45359237 lb lbs
time: 0.000001 μs microsecond; 0.001 ms millisecond; 1 s sec second secs; 60 min minute mins; 3600 h hr hour hrs; 86400 day; 604800 week
calendar: 1 month mo; 12 year yr yrs; 120 decade; 1200 century centuries
volume: 0.001 ml millilitre milliliter; 0.1 dl decilitre deciliter; 1 l litre liter; 0.001 cm3; 1 dm3; 1000 m3; 1000000000000 km3
gallon: 1 gal gallon
area: 1 m2 sqm; 1000000 km2 sqkm; 0.0001 cm2; 2589988.110336 mi2 sqmi; 0.09290304 ft2 sqft; 10000 ha hectare; 4046.8564224 acre
speed: 1 m/s mps; 0.44704 mph
acceleration: 1 m/s2
amount: 1 mol mole; 0.001 mmol millimole; 0.000001 μmol micromole
iu: 1 iu
ppm: 1 ppm; 0.001 ppb
data: 1 byte; 1000 kb kilobyte; 1000000 mb megabyte; 1000000000 gb gigabyte; 1000000000000 tb terabyte
frequency: 1 hz hertz; 1000 khz kilohertz; 1000000 mhz megahertz; 1000000000 ghz gigahertz
power: 1 w watt; 1000 kw kilowatt; 1000000 mw megawatt
pressure: 1 pa pascal; 133.322387415 mmhg torr; 100 mbar millibar hpa hectopascal; 1000 kpa kilopascal; 100000 bar; 101325 atm atmosphere; 1000000 mpa megapascal; 1000000000 gpa gigapascal; 6894.757293168 psi
voltage: 0.001 mv millivolt; 1 v volt; 1000 kv kilovolt
current: 0.000000001 na nanoampere nanoamp; 0.000001 μa microampere microamp; 0.001 ma milliampere milliamp; 1 a ampere amp
resistance: 1 ω ohm; 1000 kω kilohm kiloohm; 1000000 mω megohm megaohm
force: 1 n newton; 1000 kn kilonewton
energy: 1 j joule; 1000 kj kilojoule; 1000000 mj megajoule; 3600 wh; 3600000 kwh; 3600000000 mwh; 3600000000000 gwh; 3600000000000000 twh
calorie: 1 kcal kilocalorie calorie
percent: 0.01 % percent pct; 0.001 permille promille permil
points: 1 pp ppt; 0.01 bp bps
usd: 1 $ us$ usd dollar
eur: 1 € eur euro
gbp: 1 £ gbp
jpy: 1 jpy yen
inr: 1 ₹ inr rupee
cent: 1 cent
"""
_PHRASES = {
    "parts per million": "ppm", "parts per billion": "ppb", "percentage points": "pp", "percentage point": "pp", "basis points": "bps", "basis point": "bps",
    "km/h": "kmh", "kph": "kmh", "kmph": "kmh", "kilometres per hour": "kmh", "kilometers per hour": "kmh",
    "miles per hour": "mph", "metres per second": "mps", "meters per second": "mps",
    "square kilometres": "km2", "square kilometers": "km2", "square metres": "m2", "square meters": "m2",
    "sq km": "km2", "sq m": "m2", "square miles": "mi2", "square mile": "mi2", "sq mi": "mi2", "sq miles": "mi2", "square feet": "ft2", "square foot": "ft2", "sq ft": "ft2",
    "km^2": "km2", "m/s^2": "m/s2", "m^2": "m2", "cm^2": "cm2", "mi^2": "mi2", "ft^2": "ft2", "m^3": "m3", "dm^3": "dm3", "cm^3": "cm3", "km^3": "km3",
    "cubic metres": "m3", "cubic meters": "m3", "cubic metre": "m3", "cubic meter": "m3", "cubic centimetres": "cm3", "cubic centimeters": "cm3", "cubic kilometres": "km3", "cubic kilometers": "km3",
    "square kilometre": "km2", "square kilometer": "km2", "square metre": "m2", "square meter": "m2", "light years": "light-year", "light year": "light-year", "mm hg": "mmhg", "per cent": "%", "per mille": "permille", "per mil": "permille", "us dollars": "dollar", "u.s. dollars": "dollar",
    "american dollars": "dollar", "pounds sterling": "gbp", "degrees celsius": "celsius",
    "degrees fahrenheit": "fahrenheit", "degrees c": "celsius", "degrees f": "fahrenheit", "kelvins": "kelvin",
    "degree celsius": "celsius", "degree fahrenheit": "fahrenheit", "°c": "celsius", "°f": "fahrenheit",
    "° c": "celsius", "° f": "fahrenheit",
}  # fmt: skip
_SPECIAL = {
    "kmh": Unit("speed", Fraction(5, 18)),
    "celsius": Unit("temperature", Fraction(1), Fraction("273.15")),
    "kelvin": Unit("temperature", Fraction(1)),
    "fahrenheit": Unit("temperature", Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
    # A pound is a weight or a currency: it is equal only to other pounds.
    "pound": Unit("pound", Fraction(1)),
    "ounce": Unit("ounce", Fraction(1)),
    "ton": Unit("ton", Fraction(1)),
}


def _build_units() -> dict[str, Unit]:
    units = dict(_SPECIAL)
    for line in _TABLE.strip().splitlines():
        dimension, _, entries = line.partition(": ")
        for factor, *names in map(str.split, entries.split(";")):
            units.update((name, Unit(dimension, Fraction(factor))) for name in names)
    return units


UNITS = _build_units()
_SHORTEST_PLURAL = 3
FEATURE_CURRENCIES = word_set("usd eur gbp jpy inr")
"""The currencies of quantities, which the network's features use. Other currencies are read by `find_money`."""
FEATURE_CURRENCY_SIGNS = {"$": "usd", "US$": "usd", "€": "eur", "£": "gbp", "₹": "inr"}
# Symbols whose case changes the unit: milli or mega, bit or byte, kelvin or thousand.
_CASED = word_set(
    "m mm mg ms mL ml mV mA MB MW MHz kB KB GB TB kb Mb Gb g s h L l V W J K k C F N A B M G T mW mJ MJ pF PF nA Pa kN kV mΩ MΩ dL"
)
_CASED_LOWER = frozenset(map(str.lower, _CASED))
_READ_AS_WRITTEN = word_set(
    "m mm mg ms mL ml dL dl mV kV mA nA MB MW MHz kB KB GB TB g s h L l V W J N A MJ Pa kN MΩ"
)


def is_case_sensitive(symbol: str) -> bool:
    """Return whether a unit symbol has another meaning in another case."""
    return symbol.lower() in _CASED_LOWER


def has_ambiguous_case(symbol: str) -> bool:
    """Return whether a unit symbol is ambiguous as it is written."""
    return is_case_sensitive(symbol) and symbol not in _READ_AS_WRITTEN


def find_unit(text: str) -> Unit | None:
    """Return the unit that a word or phrase names, singular or plural."""
    name = " ".join(text.lower().split())
    name = _PHRASES.get(name, name)
    unit = UNITS.get(name)
    # "has" is not the plural of hectare: only words of three or more letters take an s.
    if unit is None and name.endswith("s") and len(name) > _SHORTEST_PLURAL:
        unit = UNITS.get(name[:-1])
    return unit


_UNIT = any_case(rf"[\s-]{{0,2}}(?P<unit>{any_of(_PHRASES)}|{any_of(UNITS)})(?P<s>s?)(?![\w])")
_PER = any_case(r"\s?/\s?(?=[^\W\d])|\s+per\s+|\s+an?\s+(?=(?:second|minute|hour|day|week|month|year)\b)")
_POWER = re.compile(r"\^|\*\*")
_DIVIDED = word_set("length mass volume area amount energy calorie power data")
_SAME = {"length/time": "speed"}


def read_unit(text: str, start: int) -> tuple[Unit | None, int]:
    """Return the unit at a position of a text, and where it ends. It may be a quotient: "mg/dl", "km per second"."""
    unit, end = _read_simple_unit(text, start)
    per = _PER.match(text, end) if unit and unit.dimension in _DIVIDED else None
    under, behind = _read_simple_unit(text, per.end()) if per else (None, end)
    if unit and under:
        dimension = f"{unit.dimension}/{under.dimension}"
        unit, end = Unit(_SAME.get(dimension, dimension), unit.factor / under.factor), behind
    return (None, start) if unit is None or _POWER.match(text, end) else (unit, end)


def _read_simple_unit(text: str, start: int) -> tuple[Unit | None, int]:
    match = _UNIT.match(text, start)
    unit = find_unit(match["unit"] + match["s"]) if match else None
    return (unit, match.end()) if match and unit else (None, start)


_JOINED = any_case(r"[\s,-]{0,2}\s?(?:and\s)?\s{0,2}")
_APART = any_case(
    r"\s*(?:of (?:which|it|that|them|the)|longer|more|less|from|each|before|after|later|earlier|early|late)\b"
)
_ONE = any_case(
    r"\b(?:an?)(?=\s(?:hour|year|week|day|month|minute|mile|foot|metre|meter|pound|kilo)\s+and\s+\d)"
)
_COMPOUND_DIMENSIONS = word_set("length time calendar mass")
"""Dimensions whose measures may have two units: "2 hours 30 minutes"."""


def are_parts_of_one(
    text: str, dimension: str, gap: tuple[int, int], end: int, sizes: tuple[Fraction, Fraction]
) -> bool:
    """Return whether a measure continues in a smaller unit: "2 hours and 30 minutes", but not "5 m and 8 m" or "2 hours, 30 minutes of which"."""
    unit, part = sizes
    smaller = dimension in _COMPOUND_DIMENSIONS and 0 < part < unit
    return smaller and _JOINED.fullmatch(text, *gap) is not None and _APART.match(text, end) is None


def spell_unit_article(text: str) -> str:
    """Replace the article of "an hour and 45 minutes" by a 1. Positions do not change."""
    return _ONE.sub(lambda match: "1".rjust(len(match[0])), text)


# Currencies, by sign, code and name.

# Code, signs; names. A sign or a name may belong to several currencies. "~" marks names that are also ordinary words.
_CURRENCY_TABLE = """
usd $ us$; dollar, us dollar, u.s. dollar, american dollar | eur €; euro | gbp £ stg; pound sterling, pounds sterling, british pound, ~pound, ~quid | jpy ¥ jp¥; yen, japanese yen | inr ₹; rupee, indian rupee, ~rs
php ₱; peso, philippine peso | krw ₩; korean won, ~won | chf sfr; franc, swiss franc, ~fr | sek; krona, kronor, swedish krona, swedish kronor, ~kr | nok; krone, kroner, norwegian krone, norwegian kroner, ~kr
dkk; krone, kroner, danish krone, danish kroner, ~kr | cny ¥ rmb cn¥; yuan, renminbi, chinese yuan | aud $ a$ au$; dollar, australian dollar | cad $ c$ ca$; dollar, canadian dollar
nzd $ nz$; dollar, new zealand dollar | hkd $ hk$; dollar, hong kong dollar | sgd $ s$; dollar, singapore dollar | twd $ nt$; dollar, taiwan dollar | mxn mex$; peso, mexican peso | ars; peso, argentine peso
clp; peso, chilean peso | xof; franc, cfa franc | frf; franc, french franc | bef; franc, belgian franc | egp; egyptian pound, ~pound | lbp; lebanese pound, ~pound | iep; irish pound, ~pound
pkr; rupee, pakistani rupee, ~rs | lkr; rupee, sri lankan rupee, ~rs | npr; rupee, nepalese rupee, ~rs | ~rub ₽; ruble, rouble, russian ruble | brl r$; brazilian real, ~real, ~reais | zar; south african rand, ~rand
pln; zloty | ils ₪; shekel | thb ฿; baht | vnd ₫; dong | ngn ₦; naira | uah ₴; hryvnia | tl ₺; lira, turkish lira | itl; lira, italian lira, lire | huf; forint | czk; koruna, czech koruna | aed; dirham | ~mad; dirham
"""


def _read_currency_table() -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    """Return the currencies of each sign, code and name, in the order of the table, and the names that are also ordinary words."""
    named, words = dict[str, tuple[str, ...]](), set[str]()
    for entry in _CURRENCY_TABLE.strip().replace("\n", "|").split("|"):
        signs, _, names = entry.partition(";")
        code = signs.split()[0].lstrip("~")
        for name in (*signs.split(), *(each.strip() for each in names.split(",") if each.strip())):
            words.update([name[1:]] if name.startswith("~") else [])
            named[name.lstrip("~")] = (*named.get(name.lstrip("~"), ()), code)
    return named, frozenset(words)


CURRENCY_NAMES, _ORDINARY_NAMES = _read_currency_table()
"""The possible currencies of each sign, code and name, the most likely first."""
CURRENCIES = {name: codes[0] for name, codes in CURRENCY_NAMES.items() if name not in _ORDINARY_NAMES}
"""The most likely currency of each sign, code and name that always means money."""
CURRENCY_SIGNS = any_of(name for name in CURRENCIES if not name[-1].isalpha())
SCALE_LETTERS = {"k": "thousand", "m": "million", "mm": "million", "b": "billion", "t": "trillion"}
"""The meaning of a letter after an amount of money."""
_WRITTEN = {"usd": "${}", "eur": "€{}", "gbp": "£{}", "jpy": "{} yen", "inr": "₹{}"}
"""How the amounts are written that quantities can read."""


class Money(Struct, frozen=True):
    """An amount as it is written, its possible currencies, their name in the text, and its position."""

    amount: str
    currencies: tuple[str, ...]
    name: str
    start: int
    end: int

    def write(self, currency: str) -> str:
        """Return the amount in the form that all parsers of figures read."""
        return _WRITTEN.get(currency, f"{{}} {currency}").format(self.amount)


def _build_money_pattern() -> re.Pattern[str]:
    leading = {name for name in CURRENCIES if " " not in name} | {"rs", "fr", "kr"}
    before, behind = any_of(leading), any_of(CURRENCY_NAMES)
    amount = rf"{DIGITS}(?![\d/:^-]|[.,]\d)"
    scale = r"(?:\s?-?(?P<scale_{0}>hundred|thousand|million|billion|trillion|mn|bn|[kmbt])(?!\w))?"
    return any_case(
        rf"(?<![\w.,$€£¥/^-])(?:(?P<before>{before})\.?\s?(?P<first>{amount}){scale.format('first')}(?:\s?(?P<named>{behind})s?(?!\w))?"
        rf"|(?P<last>{amount}){scale.format('last')}[\s-]?(?P<behind>{behind})s?(?!\w))"
    )


_MONEY = _build_money_pattern()


def find_money(text: str) -> list[Money]:
    """Return the amounts of money in a text, also uncertain ones such as "5 won"."""
    found = list[Money]()
    for match in _MONEY.finditer(text):
        name = (match["before"] or match["behind"]).lower()
        codes, more = CURRENCY_NAMES[name], CURRENCY_NAMES[(match["named"] or name).lower()]
        scale = (match["scale_first"] or match["scale_last"] or "").lower()
        word = SCALE_LETTERS.get(scale.removesuffix("n"), scale)  # "bn" is "b"
        amount = f"{match['first'] or match['last']} {word}".strip()
        known = tuple(code for code in codes if code in more) or codes
        found.append(Money(amount, known, name, match.start(), match.end()))
    return found
