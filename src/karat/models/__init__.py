"""The only code that talks to models."""

from karat.models.batch.client import DISCOUNT, BatchClient
from karat.models.batch.types import MOST_RESULT_BYTES, Ledger, Polling
from karat.models.budget import Budget
from karat.models.client import Cache, Client, Limits
from karat.models.endpoint import Endpoint, parse_endpoint
from karat.models.parameters import Parameters, Quirks
from karat.models.prices import AS_OF, PRICES, Price, find_price, parse_price
from karat.models.rate_limit.throttle import Throttle, Turn
from karat.models.rate_limit.windows import Pace, Share
from karat.models.sender import Patience
from karat.models.transport import MOST_BYTES, HttpTransport, Transport, check_ca_file

__all__ = [
    "AS_OF",
    "DISCOUNT",
    "MOST_BYTES",
    "MOST_RESULT_BYTES",
    "PRICES",
    "BatchClient",
    "Budget",
    "Cache",
    "Client",
    "Endpoint",
    "HttpTransport",
    "Ledger",
    "Limits",
    "Pace",
    "Parameters",
    "Patience",
    "Polling",
    "Price",
    "Quirks",
    "Share",
    "Throttle",
    "Transport",
    "Turn",
    "check_ca_file",
    "find_price",
    "parse_endpoint",
    "parse_price",
]
