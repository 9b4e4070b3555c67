"""Countries, states and the like: what stands behind a town to tell where it is."""

_NAMES = """
afghanistan|albania|algeria|andorra|angola|argentina|armenia|australia|austria|azerbaijan|bahamas|bahrain|bangladesh|barbados|belarus|belgium|belize|benin|bhutan|
bolivia|bosnia and herzegovina|bosnia|botswana|brazil|brunei|bulgaria|burkina faso|burma|burundi|cambodia|cameroon|canada|cape verde|chad|chile|china|colombia|congo|
costa rica|croatia|cuba|cyprus|czech republic|czechia|denmark|djibouti|dominica|dominican republic|ecuador|egypt|el salvador|england|eritrea|estonia|ethiopia|fiji|
finland|france|gabon|gambia|georgia|germany|ghana|great britain|greece|greenland|grenada|guatemala|guinea|guyana|haiti|honduras|hungary|iceland|india|indonesia|iran|
iraq|ireland|israel|italy|ivory coast|jamaica|japan|jordan|kazakhstan|kenya|kosovo|kuwait|kyrgyzstan|laos|latvia|lebanon|lesotho|liberia|libya|liechtenstein|
lithuania|luxembourg|madagascar|malawi|malaysia|maldives|mali|malta|mauritania|mauritius|mexico|moldova|monaco|mongolia|montenegro|morocco|mozambique|myanmar|
namibia|nepal|netherlands|new zealand|nicaragua|niger|nigeria|north korea|northern ireland|north macedonia|norway|oman|pakistan|palestine|panama|papua new guinea|
paraguay|peru|philippines|poland|portugal|puerto rico|qatar|romania|russia|rwanda|saudi arabia|scotland|senegal|serbia|sierra leone|singapore|slovakia|slovenia|
somalia|south africa|south korea|spain|sri lanka|sudan|suriname|sweden|switzerland|syria|taiwan|tajikistan|tanzania|thailand|tibet|togo|tonga|trinidad and tobago|
tunisia|turkey|turkmenistan|uganda|ukraine|united arab emirates|uae|united kingdom|uk|united states|united states of america|usa|us|uruguay|uzbekistan|vatican city|
venezuela|vietnam|wales|yemen|zambia|zimbabwe|africa|asia|europe|north america|south america|antarctica|oceania|
alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|
massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|
oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|dc|
al|ak|az|ar|ca|co|ct|fl|ga|hi|id|il|ia|ks|ky|la|md|ma|mi|mn|ms|mo|mt|nc|nd|ne|nh|nj|nm|nv|ny|oh|ok|pa|ri|sc|sd|tn|tx|ut|va|vt|wa|wi|wv|wy|
alberta|british columbia|manitoba|new brunswick|newfoundland|nova scotia|ontario|quebec|saskatchewan|new south wales|queensland|tasmania|bavaria|tuscany|sicily|catalonia
"""
_REGIONS = frozenset(_NAMES.replace("\n", "").split("|"))


def is_region(form: str) -> bool:
    """Tell whether a comparison form is that of a country, a state, a province or a continent."""
    return form in _REGIONS
