"""What a number counts: units of the same quantity and the factors between them."""

from fractions import Fraction

from msgspec import Struct

from karat.text.vocabulary import list_words


class Unit(Struct, frozen=True):
    """A dimension, and the factor and offset that bring a value to its base unit."""

    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)


_INCH = "0.0254"
_POUND = "0.45359237"
_TABLE: tuple[tuple[str, str, str], ...] = (
    ("length", "0.001", "mm millimetre millimeter"),
    ("length", "0.01", "cm centimetre centimeter"),
    ("length", "1", "m metre meter"),
    ("length", "1000", "km kilometre kilometer kms"),
    ("length", _INCH, "inch inches"),
    ("length", "0.3048", "ft foot feet"),
    ("length", "0.9144", "yd yard"),
    ("length", "1609.344", "mi mile"),
    ("mass", "0.000001", "mg milligram"),
    ("mass", "0.001", "g gram gramme"),
    ("mass", "1", "kg kilogram kilo kgs"),
    ("mass", "1000", "tonne"),
    ("mass", _POUND, "lb lbs"),
    ("time", "0.001", "ms millisecond"),
    ("time", "1", "s sec second secs"),
    ("time", "60", "min minute mins"),
    ("time", "3600", "h hr hour hrs"),
    ("time", "86400", "day"),
    ("time", "604800", "week"),
    ("calendar", "1", "month"),
    ("calendar", "12", "year yr yrs"),
    ("calendar", "120", "decade"),
    ("calendar", "1200", "century centuries"),
    ("volume", "0.001", "ml millilitre milliliter"),
    ("volume", "1", "l litre liter"),
    ("gallon", "1", "gal gallon"),
    ("area", "1", "m2 sqm"),
    ("area", "1000000", "km2 sqkm"),
    ("area", "10000", "ha hectare"),
    ("area", "4046.8564224", "acre"),
    ("speed", "1", "m/s mps"),
    ("speed", "0.44704", "mph"),
    ("data", "1", "byte"),
    ("data", "1000", "kb kilobyte"),
    ("data", "1000000", "mb megabyte"),
    ("data", "1000000000", "gb gigabyte"),
    ("data", "1000000000000", "tb terabyte"),
    ("frequency", "1", "hz hertz"),
    ("frequency", "1000", "khz kilohertz"),
    ("frequency", "1000000", "mhz megahertz"),
    ("frequency", "1000000000", "ghz gigahertz"),
    ("power", "1", "w watt"),
    ("power", "1000", "kw kilowatt"),
    ("power", "1000000", "mw megawatt"),
    ("pressure", "100", "mbar millibar hpa hectopascal"),
    ("pressure", "1000", "kpa kilopascal"),
    ("pressure", "100000", "bar"),
    ("pressure", "101325", "atm atmosphere"),
    ("pressure", "1000000", "mpa megapascal"),
    ("pressure", "6894.757293168", "psi"),
    ("voltage", "1", "v volt"),
    ("energy", "1", "j joule"),
    ("energy", "1000", "kj kilojoule"),
    ("percent", "0.01", "% percent pct"),
    ("percent", "0.001", "permille promille permil"),
    ("points", "1", "pp ppt"),
    ("points", "0.01", "bp bps"),
    ("usd", "1", "$ us$ usd dollar"),
    ("eur", "1", "€ eur euro"),
    ("gbp", "1", "£ gbp"),
    ("jpy", "1", "jpy yen"),
    ("inr", "1", "₹ inr rupee"),
    ("cent", "1", "cent"),
)
_PHRASES = {
    "percentage points": "pp", "percentage point": "pp", "basis points": "bps", "basis point": "bps",
    "km/h": "kmh", "kph": "kmh", "kmph": "kmh", "kilometres per hour": "kmh", "kilometers per hour": "kmh",
    "miles per hour": "mph", "metres per second": "mps", "meters per second": "mps",
    "square kilometres": "km2", "square kilometers": "km2", "square metres": "m2", "square meters": "m2",
    "sq km": "km2", "sq m": "m2", "per cent": "%", "per mille": "permille", "per mil": "permille", "us dollars": "dollar", "u.s. dollars": "dollar",
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
    # A pound weighs or pays: only another "pounds" is surely the same.
    "pound": Unit("pound", Fraction(1)),
    "ounce": Unit("ounce", Fraction(1)),
    "ton": Unit("ton", Fraction(1)),
}


def _build() -> dict[str, Unit]:
    units = dict(_SPECIAL)
    for dimension, factor, names in _TABLE:
        for name in names.split():
            units[name] = Unit(dimension, Fraction(factor))
    return units


UNITS = _build()
_SHORTEST_PLURAL = 3
CURRENCIES = frozenset(list_words("usd eur gbp jpy inr"))
CURRENCY_SIGNS = {"$": "usd", "US$": "usd", "€": "eur", "£": "gbp", "₹": "inr"}
# Milli or mega, bit or byte, kelvin or thousand: in these symbols the case of a letter changes the unit.
_CASED = frozenset(
    list_words(
        "m mm mg ms mL ml mV mA MB MW MHz kB KB GB TB kb Mb Gb g s h L l V W J K k C F N A B M G T mW mJ MJ pF PF"
    )
)
_CASED_LOWER = frozenset(map(str.lower, _CASED))
_READ_AS_WRITTEN = frozenset(list_words("m mm mg ms mL ml MB MW MHz kB KB GB TB g s h L l V W J"))
PHRASES = tuple(sorted(_PHRASES, key=len, reverse=True))


def is_cased(symbol: str) -> bool:
    """Tell whether a unit symbol means something else in another case."""
    return symbol.lower() in _CASED_LOWER


def is_miscased(symbol: str) -> bool:
    """Tell whether a unit symbol is written in a case that leaves its meaning open."""
    return is_cased(symbol) and symbol not in _READ_AS_WRITTEN


def find_unit(text: str) -> Unit | None:
    """Return the unit that a word or phrase names, singular or plural."""
    name = " ".join(text.lower().split())
    name = _PHRASES.get(name, name)
    unit = UNITS.get(name)
    # "has" is no plural of hectare: only words of three letters or more take an s.
    if unit is None and name.endswith("s") and len(name) > _SHORTEST_PLURAL:
        unit = UNITS.get(name[:-1])
    return unit
