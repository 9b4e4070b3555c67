"""Chemical formulas: "CO2" beside "carbon dioxide" is read as the name. Symbols of elements are words too often ("He", "Al")."""

import re

from karat.text.fold import fold

_TABLE = """
CO2 carbon dioxide; H2O water; O2 oxygen; N2 nitrogen; H2 hydrogen; O3 ozone; CH4 methane; NH3 ammonia; NaCl sodium chloride; HCl hydrochloric acid; H2SO4 sulfuric acid; HNO3 nitric acid;
NaOH sodium hydroxide; CaCO3 calcium carbonate; SO2 sulfur dioxide; NO2 nitrogen dioxide; N2O nitrous oxide; H2O2 hydrogen peroxide; C6H12O6 glucose; NaHCO3 sodium bicarbonate; SiO2 silicon dioxide;
Fe2O3 iron oxide
"""
_NAMES = {
    formula: name
    for formula, _, name in (entry.strip().partition(" ") for entry in _TABLE.replace("\n", " ").split(";"))
}
_FORMULA = re.compile(r"(?<![\w.-])[A-Z][A-Za-z0-9]{0,6}(?![\w(-])")


def respell_formulas(reference: str, answer: str) -> str:
    """Return the answer with a formula written as its name, where the reference is that name."""
    wanted = reference.lower().strip(" .").replace("sulphur", "sulfur")
    if wanted not in _NAMES.values():
        return answer
    folded = re.sub(r"(?<=[A-Za-z])[\^_]?\{?(\d+)\}?", r"\1", fold(answer))
    changed = _FORMULA.sub(
        lambda found: reference.strip(" .") if _NAMES.get(found[0]) == wanted else found[0], folded
    )
    return answer if changed == folded else changed
