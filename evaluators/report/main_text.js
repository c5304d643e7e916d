// The long text of an example with all that finds a place in it: sections, marks by kind, a search, and the rail.
const makeMainText = () => {
  const MOST_LISTED = 300; // sections that a list is made of; more are reached by their number
  const element = make("div", null, "reader-main");
  const tools = make("div", null, "reader-tools");
  const legend = make("div", null, "chips");
  const frame = make("div", null, "reader-text");
  const box = make("div", null, "pane");
  box.tabIndex = 0;
  const strip = make("div", null, "rail");
  strip.setAttribute("aria-hidden", "true");
  const status = make("p", "", "quiet reader-status");
  status.setAttribute("role", "status");
  frame.append(box, strip);
  element.append(tools, legend, status, frame);

  const pane = makePane(box);
  const rail = makeRail(strip, (offset) => pane.reveal(offset, 0.5));
  let hits = [];
  const search = makeSearch(pane, { onHits: (starts) => { hits = starts; drawRail(); } });
  let part = null;
  let off = new Set(); // kinds that are not shown
  let at = null; // the mark that was gone to

  const stops = () => part?.marks.filter((mark) => mark.end > mark.start && !off.has(mark.kind)) ?? [];
  const drawRail = () => {
    const kinds = [...new Set(stops().map((mark) => mark.kind))];
    const startsOf = (kind) => stops().filter((mark) => mark.kind === kind).map((mark) => mark.start);
    rail.draw(pane.length(), [...kinds.map((kind) => [`m-${kind}`, startsOf(kind)]), ["hit", hits]]);
    rail.move(pane.inSight());
  };

  const unmark = () => {
    for (const drawn of at?.elements ?? []) drawn.classList.remove("now");
    at = null;
  };
  const goTo = (mark) => {
    unmark();
    at = mark;
    for (const drawn of mark.elements ?? []) drawn.classList.add("now");
    pane.reveal(mark.start);
    const all = stops();
    const which = say("{n} of {all} marks", { n: figure(all.indexOf(mark) + 1), all: figure(all.length) });
    status.textContent = [
      which, [kindName(mark.kind), mark.label].filter(Boolean).join(" "), mark.title, sectionAt(mark.start)?.title,
    ].filter(Boolean).join(" · ");
  };
  // The next mark, or the next section where there are no marks; from where one is, if that is still in sight.
  const step = (by) => {
    if (!part) return;
    const all = stops();
    const places = all.length ? all : part.sections;
    if (!places.length) return;
    const here = at && pane.isInSight(at.start) ? places.indexOf(at) : -1;
    const below = firstAfter(places, pane.inSight()[0] - 1, (one) => one.start);
    const next = here >= 0 ? here + by : below - (by < 0);
    const wrapped = (next + places.length) % places.length;
    if (all.length) goTo(all[wrapped]);
    else goToSection(places[wrapped]);
  };

  const sectionAt = (offset) => part.sections[firstAfter(part.sections, offset, (one) => one.start) - 1];
  const goToSection = (section) => {
    unmark();
    at = section;
    pane.reveal(section.start, 0.04);
    status.textContent = section.title;
    tellSection(section);
  };
  let tellSection = () => {};
  const sectionList = () => {
    const select = make("select");
    select.setAttribute("aria-label", say("go to"));
    part.sections.forEach((section, place) => {
      const option = make("option", section.title);
      option.value = place;
      select.append(option);
    });
    select.addEventListener("input", () => goToSection(part.sections[select.value]));
    tellSection = (section) => { select.value = part.sections.indexOf(section); };
    return select;
  };
  const sectionField = () => {
    const field = make("input");
    const [first, last] = [part.sections[0].number, part.sections.at(-1).number];
    Object.assign(field, { type: "number", min: first, max: last, placeholder: `${first}–${last}`, className: "number" });
    field.setAttribute("aria-label", say("go to"));
    const go = () => {
      const section = part.sections.find((one) => one.number === Number(field.value));
      if (section && field.value) goToSection(section);
    };
    field.addEventListener("change", go);
    tellSection = (section) => {
      if (document.activeElement !== field) field.value = section.number;
    };
    const label = make("label", say("go to"), "go-to");
    label.append(" ", field);
    return label;
  };

  const drawTools = () => {
    tools.replaceChildren();
    tellSection = () => {};
    if (part.sections.length) tools.append(part.sections.length > MOST_LISTED ? sectionField() : sectionList());
    if (part.sections.length || stops().length) {
      tools.append(
        button("‹", () => step(-1), say("previous mark")),
        button("›", () => step(1), say("next mark")),
      );
    }
    tools.append(search.element);
  };
  const drawLegend = () => {
    const counts = new Map();
    for (const mark of part.marks) if (mark.end > mark.start) counts.set(mark.kind, (counts.get(mark.kind) ?? 0) + 1);
    legend.replaceChildren(
      ...[...counts].map(([kind, count]) => {
        const chip = button("", () => {
          if (!off.delete(kind)) off.add(kind);
          chip.setAttribute("aria-pressed", String(!off.has(kind)));
          box.classList.toggle(`no-${kind}`, off.has(kind));
          drawRail();
        });
        chip.className = `chip m-${kind} dotted`;
        chip.append(kindName(kind), " ", make("small", figure(count)));
        chip.setAttribute("aria-pressed", "true");
        return chip;
      }),
    );
  };

  let waiting = false;
  box.addEventListener("scroll", () => {
    if (waiting || !part) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (!part) return;
      const seen = pane.inSight();
      rail.move(seen);
      // The one that was gone to, as long as it is in sight.
      const gone = at && pane.isInSight(at.start);
      const section = sectionAt(gone ? at.start : seen[0] + (seen[1] - seen[0]) * 0.1);
      if (section) tellSection(section);
    });
  });

  const clear = () => {
    part = null;
    at = null;
    hits = [];
    off = new Set();
    box.className = "pane";
    pane.clear();
    search.use("");
    for (const one of [tools, legend, strip]) one.replaceChildren();
    status.textContent = "";
  };
  const show = ({ main, language }) => {
    clear();
    part = main;
    box.lang = language;
    box.setAttribute("aria-label", say(main.title));
    pane.show(main.text, main.marks.filter((mark) => mark.end > mark.start), main.sections);
    search.use(main.text);
    drawTools();
    drawLegend();
    drawRail();
    if (main.sections.length) tellSection(main.sections[0]);
  };
  return {
    element, clear, show, goTo, step,
    say: (text) => { clear(); box.replaceChildren(make("p", text, "quiet")); },
    seen: () => part && drawRail(),
    ofGroup: (group) => (group ? part?.marks.filter((mark) => mark.group === group && mark.end > mark.start) ?? [] : []),
    search: () => {
      const chosen = getSelection().toString().trim();
      if (chosen && chosen.length < 200) {
        search.field.value = chosen;
        search.find();
      }
      search.field.focus();
      search.field.select();
    },
  };
};
