// The controls above the list: they offer the values that occur in the rows.

const MOST_CHOICES = 60;

class Filters {
  constructor(rows, form, changed) {
    this.rows = rows;
    this.form = form;
    this.changed = changed;
    this.query = new Query();
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.read());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      this.set(new Query());
    });
    this.search = form.elements.words;
    this.choices = form.querySelector(".choices");
    this.offered = "";
  }

  set(query) {
    this.query = query;
    if (query.run >= this.rows.runs.length) query.run = 0;
    this.offered = ""; // the selection that the controls show now
    this.offer();
    this.changed(query, false);
  }

  read() {
    const query = new Query();
    for (const control of this.form.elements) {
      if (!control.name) continue;
      if (control.name.startsWith("tag.")) query.tags[control.name.slice(4)] = control.value;
      else query[control.name] = control.name === "run" ? Number(control.value) : control.value;
    }
    const other = query.run !== this.query.run;
    this.query = query;
    if (other) this.offer();
    this.changed(query, true);
  }

  // Build the controls from the loaded rows; again when more rows are loaded or another run is selected.
  offer() {
    const controls = this.describe().filter(([, , options]) => options.length > 1);
    const offered = JSON.stringify(controls) + this.query.write();
    if (offered === this.offered) return;
    this.offered = offered;
    const focused = document.activeElement?.name;
    this.choices.replaceChildren(...controls.map(([name, title, options]) => this.control(name, title, options)));
    this.search.value = this.query.words;
    if (focused && this.choices.contains(this.form.elements[focused])) this.form.elements[focused].focus();
  }

  control(name, title, options) {
    const chosen = name.startsWith("tag.") ? (this.query.tags[name.slice(4)] ?? ANY) : String(this.query[name]);
    const select = make("select", { name });
    const known = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]];
    for (const [value, text] of known) {
      const option = make("option", { value }, showPlain(text));
      option.selected = value === chosen;
      select.append(option);
    }
    return make("label", {}, make("span", {}, showPlain(title)), select);
  }

  describe() {
    const { rows } = this;
    const { facts } = rows;
    const run = facts.runs[this.query.run];
    const values = run.protocol === "match" ? ["Yes", "No"] : ["5", "4", "3", "2", "1", "0"];
    const scale = run.protocol === "match" ? [] : values;
    const verdicts = [[ANY, "any"], ...same(values)];
    if (scale.length) verdicts.push(["correct", `correct (${run.least} or more)`], ["wrong", `wrong (below ${run.least})`]);
    if (run.unjudged.length) verdicts.push(["unjudged", "unjudged"], ...same(run.unjudged));
    const controls = [];
    if (facts.runs.length > 1) controls.push(["run", "Run", facts.runs.map((one, index) => [String(index), one.name])]);
    controls.push(["value", "Verdict", verdicts]);
    if (facts.labelled) {
      controls.push(["agreement", "Agreement", [[ANY, "any"], ["disagree", "judge and people differ"], ["agree", "judge and people agree"], ["labelled", "labelled"]]]);
      controls.push(["label", "People say", [[ANY, "any"], ["correct", "correct"], ["wrong", "wrong"], ["even", "annotators evenly split"], ...same(facts.graded ? scale : []), ["none", "none"]]]);
    }
    if (facts.joined) controls.push(["runs", "Runs", [[ANY, "any"], ["differ", "differ on the verdict"]]]);
    controls.push(["system", "System", choicesOf(rows.systems)], ["by", "Decided by", choicesOf(rows.origins)]);
    for (const [name, tag] of rows.tags) if (tag.names.list.length <= MOST_CHOICES) controls.push([`tag.${name}`, name, choicesOf(tag.names)]);
    const orders = [["input", "as in the input"], ["long", "longest answer first"]];
    if (rows.confident[this.query.run]) orders.push(["unsure", "least confident first"]);
    controls.push(["order", "Order", orders]);
    return controls;
  }
}

const same = (values) => values.map((value) => [value, value]);

function choicesOf(names) {
  const there = names.list.filter((name) => name !== null).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return there.length > 1 ? [[ANY, "any"], ...same(there)] : [];
}

// For elements that can contain only plain text.
const showPlain = (text) => text.replace(INVISIBLE, (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
