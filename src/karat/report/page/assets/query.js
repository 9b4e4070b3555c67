// The selected filters and order of rows.

const ANY = "";

class Query {
  constructor() {
    this.words = ANY;
    this.run = 0;
    this.value = ANY; // a value, a cause, "correct", "wrong", "judged" or "unjudged"
    this.system = ANY;
    this.by = ANY;
    this.label = ANY; // "correct", "wrong", "even", "none" or a level
    this.agreement = ANY; // "labelled", "agree" or "disagree"
    this.runs = ANY; // "differ"
    this.tags = {};
    this.order = "input";
  }

  static read(text) {
    const query = new Query();
    for (const [key, value] of new URLSearchParams(text)) {
      if (key.startsWith("tag.")) query.tags[key.slice(4)] = value;
      else if (key === "run") query.run = Math.max(0, Number(value) || 0);
      else if (key !== "tags" && Object.hasOwn(query, key)) query[key] = value;
    }
    return query;
  }

  write() {
    const fresh = new Query();
    const pairs = Object.entries(this).filter(([key, value]) => key !== "tags" && value !== fresh[key]);
    for (const [name, value] of Object.entries(this.tags)) if (value !== ANY) pairs.push([`tag.${name}`, value]);
    return new URLSearchParams(pairs).toString();
  }

  // The indices of matching rows among those loaded.
  find(rows) {
    const tests = this.tests(rows);
    const found = new Uint32Array(rows.loaded);
    let count = 0;
    next: for (let at = 0; at < rows.loaded; at++) {
      for (const test of tests) if (!test(at)) continue next;
      found[count++] = at;
    }
    return this.sort(rows, found.subarray(0, count));
  }

  tests(rows) {
    const tests = [...this.testVerdict(rows), ...this.testLabel(rows), ...this.testOrigin(rows)];
    for (const word of splitWords(this.words)) tests.push((at) => rows.haystacks[at].includes(word));
    return tests;
  }

  testVerdict(rows) {
    const { verdict } = rows.runs[this.run];
    const tests = rows.runs.length > 1 ? [(at) => verdict[at] !== ABSENT] : [];
    if (this.value === "judged") tests.push((at) => verdict[at] >= 0);
    else if (this.value === "unjudged") tests.push((at) => verdict[at] < 0);
    else if (this.value === "correct") tests.push((at) => rows.isCorrect(this.run, at) === true);
    else if (this.value === "wrong") tests.push((at) => rows.isCorrect(this.run, at) === false);
    else if (this.value !== ANY) tests.push((at) => rows.verdictName(this.run, at) === this.value);
    if (this.runs === "differ") tests.push((at) => rows.runs.some((run) => run.verdict[at] !== ABSENT && run.verdict[at] !== verdict[at]));
    return tests;
  }

  testLabel(rows) {
    const tests = [];
    const { truths, levels } = rows;
    if (this.agreement === "labelled") tests.push((at) => truths[at] !== NO_LABEL);
    if (this.agreement === "agree") tests.push((at) => rows.agrees(this.run, at) === true);
    if (this.agreement === "disagree") tests.push((at) => rows.agrees(this.run, at) === false);
    if (this.label === "correct") tests.push((at) => truths[at] === 1);
    else if (this.label === "wrong") tests.push((at) => truths[at] === 0);
    else if (this.label === "even") tests.push((at) => truths[at] === EVEN);
    else if (this.label === "none") tests.push((at) => truths[at] === NO_LABEL);
    else if (this.label !== ANY) tests.push((at) => levels[at] === Number(this.label));
    return tests;
  }

  testOrigin(rows) {
    const tests = [];
    const { by } = rows.runs[this.run];
    if (this.system !== ANY) tests.push((at) => rows.systems.list[rows.system[at]] === this.system);
    if (this.by !== ANY) tests.push((at) => rows.origins.list[by[at]] === this.by);
    for (const [name, value] of Object.entries(this.tags)) {
      const tag = rows.tags.get(name);
      if (tag && value !== ANY) tests.push((at) => tag.has(at, value));
    }
    return tests;
  }

  sort(rows, found) {
    const { confidence } = rows.runs[this.run];
    const keys = {
      unsure: (at) => (Number.isNaN(confidence[at]) ? 2 : confidence[at]),
      long: (at) => -(Array.isArray(rows.answers[at]) ? rows.answers[at][1] : rows.answers[at].length),
    };
    const key = keys[this.order];
    return key ? found.sort((one, other) => key(one) - key(other) || one - other) : found;
  }
}

// Search words, all of which must occur; "words in quotes" are one phrase.
function splitWords(text) {
  return [...text.matchAll(/"([^"]+)"|(\S+)/g)].map((found) => fold(found[1] ?? found[2])).filter((word) => word && word !== '"');
}
