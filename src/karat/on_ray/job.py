"""What every worker of a run has to know."""

from msgspec import Struct

from karat.judges import Plan
from karat.rows import Columns


class Job(Struct, frozen=True):
    """A run as it is sent to the workers: the judge, how rows are read, and where verdicts go."""

    plan: Plan
    columns: Columns
    folder: str
    on_bad_row: str = "stop"
    with_input: bool = True
    retry: bool = False
    alone: str | None = None
    """The input file that was the only one at the first start: its rows are called by their lines."""
    workers: int = 1

    @property
    def pays(self) -> bool:
        """Whether any verdict costs a call."""
        return any(plan.endpoint is not None for plan in (self.plan, *self.plan.members))


class Trouble(Struct, frozen=True):
    """A mistake that a worker found, and the exit code that it means."""

    message: str
    code: int = 2
