// All rows, one array per column. Blocks are added one after the other; `loaded` counts the rows so far.

const ABSENT = -128; // the run does not contain this row
const NOT_TRIED = -1;
const NO_LABEL = -1;
const EVEN = 2;
const FIRST_CAUSE = -2; // causes are counted down from here

class Names {
  constructor(known = []) {
    this.list = [];
    this.codes = new Map();
    for (const name of known) this.code(name);
  }

  code(name) {
    let code = this.codes.get(name);
    if (code === undefined) {
      code = this.list.length;
      this.list.push(name);
      this.codes.set(name, code);
    }
    return code;
  }
}

// A row may belong to several groups of one tag.
class Tag {
  constructor(total) {
    this.names = new Names();
    this.kinds = new Names();
    this.groups = [];
    this.codes = new Uint32Array(total);
  }

  add(at, groups) {
    const code = this.kinds.code(JSON.stringify(groups));
    if (code === this.groups.length) this.groups.push(groups);
    for (const group of groups) this.names.code(group);
    this.codes[at] = code;
  }

  has(at, group) {
    return this.groups[this.codes[at]].includes(group);
  }
}

class Rows {
  constructor(facts) {
    const total = facts.items;
    this.facts = facts;
    this.loaded = 0;
    this.total = total;
    this.ids = new Array(total);
    this.questions = new Array(total);
    this.references = new Array(total);
    this.answers = new Array(total);
    this.haystacks = new Array(total);
    this.blocks = new Uint16Array(total);
    this.places = new Uint16Array(total);
    this.truths = new Int8Array(total).fill(NO_LABEL); // 1 correct, 0 wrong, 2 if annotators are evenly split
    this.levels = new Int8Array(total).fill(NO_LABEL); // 0 to 5, if the labels are levels
    this.systems = new Names([null]);
    this.system = new Uint32Array(total);
    this.causes = new Names(facts.causes);
    this.tags = new Map(facts.tags.map((name) => [name, new Tag(total)]));
    this.runs = facts.runs.map(() => ({
      verdict: new Int8Array(total).fill(ABSENT),
      confidence: new Float32Array(total).fill(NaN),
      by: new Uint16Array(total),
      score: new Float32Array(total).fill(NaN),
      matched: new Int16Array(total).fill(-1),
      reasons: new Array(total),
    }));
    this.confident = facts.runs.map(() => false);
    this.origins = new Names([null]);
  }

  add(block, number) {
    const start = this.loaded;
    const count = block.id.length;
    for (let place = 0; place < count; place++) {
      const at = start + place;
      this.ids[at] = block.id[place];
      this.questions[at] = block.question[place];
      this.references[at] = block.references[place];
      this.answers[at] = block.answer[place];
      this.system[at] = this.systems.code(block.system[place]);
      if (block.truth[place] !== null) this.truths[at] = block.truth[place];
      if (block.level[place] !== null) this.levels[at] = block.level[place];
      this.blocks[at] = number;
      this.places[at] = place;
    }
    for (const [name, values] of Object.entries(block.tags)) {
      values.forEach((groups, place) => this.tags.get(name).add(start + place, groups));
    }
    for (const [run, columns] of Object.entries(block.runs)) this.addOutcomes(Number(run), columns, start);
    for (let at = start; at < start + count; at++) this.haystacks[at] = this.haystack(at);
    this.loaded += count;
  }

  addOutcomes(number, columns, start) {
    const run = this.runs[number];
    this.confident[number] ||= columns.confidence.some((confidence) => confidence !== null);
    columns.verdict.forEach((verdict, place) => {
      const at = start + place;
      run.verdict[at] = this.verdictCode(verdict);
      run.by[at] = this.origins.code(columns.by[place]);
      if (columns.confidence[place] !== null) run.confidence[at] = columns.confidence[place];
      if (columns.score[place] !== null) run.score[at] = columns.score[place];
      if (columns.matched[place] !== null) run.matched[at] = columns.matched[place];
      run.reasons[at] = columns.reason[place];
    });
  }

  verdictCode(verdict) {
    if (verdict === null) return NOT_TRIED;
    return typeof verdict === "number" ? verdict : FIRST_CAUSE - this.causes.code(verdict);
  }

  // "Yes", "4", "undecided", "not tried yet"; null if the run does not contain this row.
  verdictName(run, at) {
    const code = this.runs[run].verdict[at];
    if (code === ABSENT) return null;
    if (code === NOT_TRIED) return "not tried yet";
    if (code <= FIRST_CAUSE) return this.causes.list[FIRST_CAUSE - code];
    return this.valueName(run, code);
  }

  valueName(run, value) {
    return this.facts.runs[run].protocol === "match" ? (value ? "Yes" : "No") : String(value);
  }

  // Whether a verdict counts as correct; null if there is none.
  isCorrect(run, at) {
    const code = this.runs[run].verdict[at];
    return code < 0 ? null : code >= this.facts.runs[run].least;
  }

  labelName(run, at) {
    if (this.truths[at] === NO_LABEL) return null;
    if (this.facts.runs[run].protocol !== "match" && this.levels[at] !== NO_LABEL) return String(this.levels[at]);
    return ["No", "Yes", "evenly split"][this.truths[at]];
  }

  // Whether a verdict says the same as the labels; null if one is missing, or the labels are evenly split.
  agrees(run, at) {
    const correct = this.isCorrect(run, at);
    const truth = this.truths[at];
    return correct === null || truth === NO_LABEL || truth === EVEN ? null : correct === (truth === 1);
  }

  haystack(at) {
    const parts = [this.ids[at], textOf(this.questions[at] ?? ""), ...this.references[at].map(textOf), textOf(this.answers[at])];
    for (const run of this.runs) if (run.reasons[at]) parts.push(textOf(run.reasons[at]));
    return fold(parts.join("\n"));
  }
}
