"""Model endpoints: calls, provider batches, rate limits, prices and budgets."""

from karat.models.batch.client import DISCOUNT, BatchClient
from karat.models.batch.types import MOST_RESULT_BYTES, Ledger, Polling
from karat.models.client import Cache, Client, Limits
from karat.models.costs import AS_OF, PRICES, Budget, Price, find_price, parse_price
from karat.models.endpoint import Endpoint, Parameters, Quirks, parse_endpoint
from karat.models.providers import PROVIDERS, Provider, suggest_judge
from karat.models.rate_limit.throttle import Slot, Throttle
from karat.models.rate_limit.windows import MinuteLimit, Share
from karat.models.sender import CallSettings, Patience
from karat.models.transport import MOST_BYTES, HttpTransport, Transport, check_ca_file

__all__ = [
    "AS_OF",
    "DISCOUNT",
    "MOST_BYTES",
    "MOST_RESULT_BYTES",
    "PRICES",
    "PROVIDERS",
    "BatchClient",
    "Budget",
    "Cache",
    "CallSettings",
    "Client",
    "Endpoint",
    "HttpTransport",
    "Ledger",
    "Limits",
    "MinuteLimit",
    "Parameters",
    "Patience",
    "Polling",
    "Price",
    "Provider",
    "Quirks",
    "Share",
    "Slot",
    "Throttle",
    "Transport",
    "check_ca_file",
    "find_price",
    "parse_endpoint",
    "parse_price",
    "suggest_judge",
]
