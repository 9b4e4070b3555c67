"""Words that deny, in the languages that answers come in."""

from karat.text.vocabulary import list_words

# Accents are off, as in folded text.
NEGATORS = frozenset(
    list_words(
        "nicht kein keine keiner keinen keinem keines nein nie niemals weder ohne ausser "  # German
        "pas jamais aucun aucune sauf sans "  # French
        "nunca jamas tampoco ningun ninguna ninguno excepto "  # Spanish
        "non nessun nessuno nessuna senza tranne "  # Italian
        "nao nem nenhum nenhuma sem exceto "  # Portuguese
        "niet geen nooit zonder behalve "  # Dutch
        "ikke inte nej ni sin "  # Danish, Norwegian, Swedish; Spanish once more
        "не нет ни никогда без кроме"  # Russian
    )
)
# Chinese and Japanese write no spaces: these are looked for anywhere in the sentence.
NEGATING_SIGNS = (
    "不", "没", "沒", "非", "无", "無", "未", "别", "別", "除", "否", "ない", "ません", "いいえ", "違", "なく", "以外",
    "✗", "✘", "❌", "🚫", "✖",
)  # fmt: skip
