// A list of any length: only the visible rows are in the document.

const HEIGHT = 64;
const SPARE = 6;

class List {
  constructor(box, draw, choose) {
    this.box = box;
    this.draw = draw;
    this.choose = choose;
    this.found = new Uint32Array(0);
    this.active = -1;
    this.inside = make("div", { role: "presentation", class: "inside" });
    box.append(this.inside);
    box.addEventListener("scroll", () => this.render(), { passive: true });
    box.addEventListener("keydown", (event) => this.press(event));
    box.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.activate(Number(option.dataset.index));
    });
    new ResizeObserver(() => this.render()).observe(box);
  }

  // Show other rows; the selected row stays selected if it is among them, and does not move if rows were only added.
  show(found, grown) {
    const chosen = this.active >= 0 ? this.found[this.active] : -1;
    this.found = found;
    this.inside.style.height = `${found.length * HEIGHT}px`;
    this.active = chosen >= 0 ? found.indexOf(chosen) : -1;
    if (!found.length) this.choose(-1);
    else if (this.active < 0 || !grown) this.activate(Math.max(this.active, 0));
    this.render();
  }

  render() {
    const from = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - SPARE);
    const to = Math.min(this.found.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / HEIGHT) + SPARE);
    const options = [];
    for (let index = from; index < to; index++) options.push(this.option(index));
    this.inside.replaceChildren(...options);
    if (this.active >= from && this.active < to) this.box.setAttribute("aria-activedescendant", `row-${this.active}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  option(index) {
    const option = this.draw(this.found[index]);
    option.id = `row-${index}`;
    option.dataset.index = index;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", index === this.active);
    option.setAttribute("aria-posinset", index + 1);
    option.setAttribute("aria-setsize", this.found.length);
    option.style.transform = `translateY(${index * HEIGHT}px)`;
    return option;
  }

  activate(index) {
    this.active = Math.min(Math.max(index, 0), this.found.length - 1);
    if (this.active < 0) return;
    const top = this.active * HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    const below = top + HEIGHT - this.box.clientHeight;
    if (below > this.box.scrollTop) this.box.scrollTop = below;
    this.render();
    this.choose(this.found[this.active]);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.activate(this.active + steps[event.key]);
  }
}
