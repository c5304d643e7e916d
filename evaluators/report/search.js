// Searching within the text that is open: upper and lower case are one, and so are all kinds of white space.
const makeSearch = (pane, { onHits }) => {
  const MOST_FOUND = 100_000;
  const MOST_DRAWN = 3000;
  const canDraw = typeof Highlight === "function" && CSS.highlights !== undefined;
  const field = make("input");
  field.type = "search";
  field.placeholder = say("search the text");
  field.setAttribute("aria-label", say("search the text"));
  field.autocomplete = "off";
  const status = make("span", "", "quiet hits");
  status.setAttribute("role", "status");
  let text = "";
  let hits = [];
  let current = -1;
  let timer = 0;

  const draw = () => {
    if (!canDraw) return;
    const ranges = hits.slice(0, MOST_DRAWN).map(([start, end]) => pane.rangeOf(start, end));
    CSS.highlights.set("hit", new Highlight(...ranges));
  };
  const erase = () => {
    if (!canDraw) return;
    CSS.highlights.delete("hit");
    CSS.highlights.delete("hit-now");
  };

  const tell = () => {
    const all = figure(hits.length) + (hits.length === MOST_FOUND ? "+" : "");
    const found = hits.length ? say("{n} of {all} hits", { n: figure(current + 1), all }) : say("no hits");
    status.textContent = field.value.trim() ? found : "";
  };
  const go = (step) => {
    if (!hits.length) return;
    current = (current + step + hits.length) % hits.length;
    const [start, end] = hits[current];
    pane.reveal(start);
    const range = pane.rangeOf(start, end);
    if (canDraw) {
      const now = new Highlight(range);
      now.priority = 1;
      CSS.highlights.set("hit-now", now);
    } else {
      getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    }
    tell();
  };

  const find = () => {
    clearTimeout(timer);
    timer = 0;
    erase();
    current = -1;
    const query = field.value.trim();
    hits = [];
    if (query) {
      const pattern = query.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/\s+/g, "\\s+");
      for (const found of text.matchAll(new RegExp(pattern, "giu"))) {
        hits.push([found.index, found.index + found[0].length]);
        if (hits.length === MOST_FOUND) break;
      }
    }
    draw();
    onHits(hits.map(([start]) => start));
    // The first hit from what is in sight on.
    current = firstAfter(hits, pane.inSight()[0] - 1, ([start]) => start) - 1;
    if (hits.length) go(1);
    else tell();
  };

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, 150); // while it is being typed, nothing is searched for
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (timer) find();
      else go(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && field.value) {
      event.preventDefault();
      event.stopPropagation();
      field.value = "";
      find();
    }
  });

  const element = make("div", null, "search");
  element.append(
    field,
    button("↑", () => go(-1), say("previous hit")),
    button("↓", () => go(1), say("next hit")),
    status,
  );
  const use = (newText) => {
    clearTimeout(timer);
    timer = 0;
    text = newText;
    erase();
    hits = [];
    current = -1;
    status.textContent = "";
    field.value = "";
  };
  return { element, use, field, find };
};
