// One row in full: question, references, answer, and the verdict of every run.

const MARKS = { good: "✓", bad: "✗", none: "–" };

function showVerdict(rows, run, at) {
  const correct = rows.isCorrect(run, at);
  const mark = correct === null ? "none" : correct ? "good" : "bad";
  return make("span", { class: `verdict ${mark}` }, make("span", { "aria-hidden": "true" }, MARKS[mark]), ` ${rows.verdictName(run, at)}`);
}

function showLabel(rows, run, at) {
  const label = rows.labelName(run, at);
  if (label === null) return null;
  const differs = rows.agrees(run, at) === false;
  return make("span", { class: differs ? "label differs" : "label" }, `label ${label}${differs ? ", differs" : ""}`);
}

// The verdict of the selected run, then those of a few others.
function showVerdicts(rows, run, at) {
  const others = rows.runs.map((_, other) => other).filter((other) => other !== run && rows.verdictName(other, at) !== null);
  const shown = make("span", { class: "verdicts" }, showVerdict(rows, run, at), ...others.slice(0, 2).map((other) => showVerdict(rows, other, at)));
  if (others.length > 2) shown.append(`+${others.length - 2}`);
  return shown;
}

function drawRow(rows, run, at) {
  const chips = make("span", { class: "chips" }, showVerdicts(rows, run, at), showLabel(rows, run, at));
  const question = textOf(rows.questions[at] ?? "").slice(0, 300) || `row ${rows.ids[at]}`;
  return make(
    "div",
    { class: "row" },
    make("span", { class: "line question", dir: "auto" }, showText(question)),
    make("span", { class: "line answer", dir: "auto" }, showText(textOf(rows.answers[at]).slice(0, 300))),
    chips,
  );
}

function part(title, ...content) {
  return make("section", { class: "part" }, make("h4", {}, showText(title)), ...content);
}

function drawItem(rows, at, more) {
  const system = rows.systems.list[rows.system[at]];
  const pieces = [
    make("h3", {}, showText(rows.ids[at]), system === null ? null : make("span", { class: "system" }, showText(system))),
  ];
  if (rows.questions[at] !== null) pieces.push(part("Question", ...showWhole(rows.questions[at])));
  pieces.push(part(rows.references[at].length > 1 ? "References (any one is enough)" : "Reference", drawReferences(rows, at)));
  pieces.push(part("Answer", ...showWhole(rows.answers[at])));
  rows.runs.forEach((_, run) => {
    if (rows.verdictName(run, at) !== null) pieces.push(drawOutcome(rows, run, at, more.runs[run]));
  });
  if (more.labels.length) pieces.push(part("Labels", drawPairs(more.labels)));
  if (more.tags.length) pieces.push(part("Tags", drawPairs(more.tags)));
  return pieces;
}

function drawReferences(rows, at) {
  const matched = rows.runs.map((run) => run.matched[at]);
  const list = make("ul", { class: "references" });
  rows.references[at].forEach((reference, index) => {
    const hit = matched.includes(index);
    list.append(make("li", { class: hit ? "hit" : null }, ...showWhole(reference), hit ? make("span", { class: "hint" }, "matched") : null));
  });
  return list;
}

function drawOutcome(rows, run, at, more) {
  const { name } = rows.facts.runs[run];
  const columns = rows.runs[run];
  const facts = [];
  const by = rows.origins.list[columns.by[at]];
  if (by !== null) facts.push(["decided by", by]);
  if (!Number.isNaN(columns.confidence[at])) facts.push(["confidence", columns.confidence[at].toFixed(3)]);
  if (!Number.isNaN(columns.score[at])) facts.push(["score", columns.score[at].toFixed(3)]);
  facts.push(...more.facts);
  const shown = part(
    rows.runs.length > 1 ? `Verdict of ${name}` : "Verdict",
    make("p", { class: "said" }, showVerdict(rows, run, at), showLabel(rows, run, at)),
    columns.reasons[at] ? make("div", { class: "reason" }, ...showWhole(columns.reasons[at])) : null,
    drawPairs(facts),
  );
  if (more.points.length) shown.append(part("Points", drawPoints(more.points)));
  for (const [reply, place, items] of more.replies) {
    const told = items > 1 ? `Raw reply about ${items} items (this row is number ${place})` : "Raw reply";
    shown.append(make("details", { open: more.replies.length === 1 }, make("summary", {}, told), ...showWhole(reply)));
  }
  return shown;
}

function drawPoints(points) {
  const list = make("ul", { class: "points" });
  for (const [text, made] of points) {
    const mark = make("span", { class: made ? "verdict good" : "verdict bad" }, make("span", { "aria-hidden": "true" }, made ? MARKS.good : MARKS.bad), made ? " made" : " missing");
    list.append(make("li", {}, mark, make("div", {}, ...showWhole(text))));
  }
  return list;
}

function drawPairs(pairs) {
  const list = make("dl", { class: "pairs" });
  for (const [name, value] of pairs) list.append(make("dt", {}, showText(name)), make("dd", { dir: "auto" }, ...showWhole(value)));
  return list;
}
