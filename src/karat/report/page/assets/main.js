// The browser of items: blocks are decompressed one by one, and the page stays usable meanwhile.

async function browse() {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const rows = new Rows(facts);
  const form = document.getElementById("filters");
  const status = document.getElementById("status");
  const panel = document.getElementById("item");
  const scripts = [...document.querySelectorAll("script.more")];
  const opened = new Map();
  const moreOf = (block) => {
    if (!opened.has(block)) {
      if (opened.size >= 8) opened.delete(opened.keys().next().value);
      opened.set(block, unpack(scripts[block]));
    }
    return opened.get(block);
  };

  let shown = -1;
  const show = async (at) => {
    shown = at;
    if (at < 0) {
      panel.replaceChildren(make("p", { class: "nothing" }, "No rows match. Remove a search word or a filter."));
      return;
    }
    const more = await moreOf(rows.blocks[at]);
    if (shown !== at) return; // another row was selected meanwhile
    panel.replaceChildren(...drawItem(rows, at, more[rows.places[at]]));
    panel.scrollTop = 0;
  };

  const filters = new Filters(rows, form, (query, byReader) => {
    update(query, false);
    if (byReader) remember(query);
  });
  const list = new List(document.getElementById("list"), (at) => drawRow(rows, filters.query.run, at), show);

  function update(query, grown) {
    const found = query.find(rows);
    list.show(found, grown);
    tell(found.length);
  }

  function tell(count) {
    const still = rows.loaded < rows.total ? `, ${number.format(rows.loaded)} of ${number.format(rows.total)} loaded so far` : "";
    status.textContent = `${number.format(count)} of ${number.format(rows.total)} ${rows.total === 1 ? "row" : "rows"}${still}`;
  }

  function remember(query) {
    const text = query.write();
    history.replaceState(null, "", text ? `#items?${text}` : "#items");
  }

  function asked() {
    return location.hash.startsWith("#items?") ? Query.read(location.hash.slice("#items?".length)) : null;
  }

  function follow() {
    const query = asked();
    if (!query) return;
    filters.set(query);
    document.getElementById("items").scrollIntoView();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
    event.preventDefault();
    form.elements.words.focus();
  });
  form.elements.words.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      list.box.focus();
    }
  });
  list.box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") panel.focus();
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.box.focus();
  });
  window.addEventListener("hashchange", follow);

  const blocks = [...document.querySelectorAll("script.rows")];
  for (const [block, script] of blocks.entries()) {
    rows.add(await unpack(script), block);
    script.remove();
    if (block === 0) filters.set(asked() ?? new Query());
    else tell(list.found.length);
    await new Promise((resume) => setTimeout(resume));
  }
  filters.offer();
  update(filters.query, true);
  if (asked()) document.getElementById("items").scrollIntoView();
  document.documentElement.dataset.ready = "true";
}

browse().catch((error) => {
  const why = "DecompressionStream" in globalThis ? String(error) : "this browser does not support DecompressionStream; use a newer one";
  document.getElementById("status").textContent = `The rows cannot be shown: ${why}`;
});
