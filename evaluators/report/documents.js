// From what the page holds of an example to what the reader draws: texts unpacked, a reply's own marks put in.
const readPart = async (part) => {
  const sections = part.sections.map(([start, number, label]) => ({ start, number, label }));
  for (const section of sections) {
    const name = say(part.unit, { n: figure(section.number), label: section.label });
    if (part.headed) section.heading = name;
    section.title = section.label && !part.unit.includes("{label}") ? `${name} · ${section.label}` : name;
  }
  return { ...part, text: await unpack(part.text), marks: readMarks(part.marks), sections };
};

// A reply's flags name sections by their numbers, in runs; each section becomes a mark.
const flagMarks = (part, flags) => {
  const places = new Map(part.sections.map((section, place) => [section.number, place]));
  const marks = [];
  for (const [first, last, kind, title] of flags) {
    for (let number = first; number <= last; number += 1) {
      const place = places.get(number);
      if (place === undefined) continue;
      const { start } = part.sections[place];
      const whole = part.text.slice(start, part.sections[place + 1]?.start ?? part.text.length);
      const said = title && say("answered {answer}", { answer: title });
      marks.push({ start, end: start + whole.trimEnd().length, kind, label: "", title: said, text: "", group: 0 });
    }
  }
  return marks;
};

const readDocument = async (record) => {
  const about = JSON.parse(await unpack(record.document));
  const main = await readPart(about.main);
  const side = await Promise.all(about.side.map(readPart));
  const add = (part, marks) => {
    part.marks = [...part.marks, ...marks].sort((a, b) => a.start - b.start || b.end - a.end);
  };
  add(main, [...readMarks(record.marks), ...flagMarks(main, record.flags)]);
  for (const part of [main, ...side]) add(part, findQuotes(record.text, part.text));
  return { language: about.language, main, side };
};

// A short text beside the long one. Its marks lead to those of their group in the long text.
const drawSidePart = (part, main, jump) => {
  const text = make("div", null, "marked");
  drawMarked(text, part.text, [0, part.text.length], part.marks.filter((mark) => mark.end > mark.start));
  const notes = make("ul", null, "notes");
  for (const mark of part.marks.filter(({ title, text: more }) => title || more)) {
    const others = main.ofGroup(mark.group);
    for (const element of mark.elements ?? []) {
      if (!others.length) continue;
      element.title = say("show the evidence");
      element.classList.add("leads");
      element.addEventListener("click", () => jump(others[0]));
    }
    const note = make("li");
    note.append(make("strong", [mark.label, kindName(mark.kind)].filter(Boolean).join(" ")), mark.title ? `, ${mark.title}` : "");
    if (mark.text) note.append(make("span", say("in truth: {text}", { text: mark.text }), "truth"));
    if (others.length) {
      const line = make("span", `${say("evidence")} `, "leads-to");
      line.append(...others.map((other) => button(other.label || "•", () => jump(other))));
      note.append(line);
    }
    notes.append(note);
  }
  // Once it stands in the page: to its first mark.
  requestAnimationFrame(() => {
    const first = text.querySelector("mark");
    if (first) text.scrollTop = first.offsetTop - text.offsetTop - text.clientHeight / 3;
  });
  const quoted = part.marks.some((mark) => mark.kind === "quoted");
  const legend = make("p", null, "quiet");
  if (quoted) legend.append(make("mark", kindName("quoted"), "m-quoted"));
  return [make("h3", say(part.title)), text, ...(quoted ? [legend] : []), ...(notes.hasChildNodes() ? [notes] : [])];
};
