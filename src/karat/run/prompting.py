"""How many prompts items take: by their company, and by how often each is asked."""

from msgspec import Struct

from karat.judges import Judge, Plan


class Prompting(Struct, frozen=True):
    """Items are asked `group` at a time, `size` to a prompt, in `least` to `most` passes."""

    size: int
    group: int
    least: int = 1
    most: int = 1

    def count(self, items: int) -> int:
        """The prompts of one pass over so many items that stand in company."""
        whole, rest = divmod(items, self.group)
        return whole * -(-self.group // self.size) + -(-rest // self.size)


def prompt_with(judge: Judge, plan: Plan) -> Prompting:
    """How a judge prompts: with `--permute` it takes several batches at once, and stops once most passes agree."""
    passes, size = plan.request.permute, plan.items_per_prompt
    if passes == 1 or size == "auto":
        return Prompting(judge.group, judge.group)
    return Prompting(min(size, judge.group), judge.group, passes // 2 + 1, passes)
