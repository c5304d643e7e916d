// A stretch of a text as text nodes, in <mark> where marks cover it, which may overlap. `covering` are those that touch
// the stretch, by their starts; each then knows its elements.
const drawMarked = (element, text, [from, to], covering) => {
  if (!covering.length) {
    element.textContent = text.slice(from, to);
    return;
  }
  const cuts = new Set([from, to]);
  for (const mark of covering) {
    cuts.add(Math.max(mark.start, from));
    cuts.add(Math.min(mark.end, to));
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  let next = 0;
  let active = [];
  for (let place = 0; place + 1 < sorted.length; place += 1) {
    const start = sorted[place];
    while (next < covering.length && covering[next].start <= start) active.push(covering[next++]);
    active = active.filter((mark) => mark.end > start);
    const piece = text.slice(start, sorted[place + 1]);
    if (!active.length) {
      element.append(piece);
      continue;
    }
    const drawn = make("mark", piece, active.map((mark) => `m-${mark.kind}`).join(" "));
    const label = active.filter((mark) => mark.start === start && mark.label).map((mark) => mark.label);
    if (label.length) drawn.dataset.label = label.join(" ");
    for (const mark of active) (mark.elements ??= []).push(drawn);
    element.append(drawn);
  }
};

// Marks as objects; the page holds them as lists.
const readMarks = (lists) =>
  lists.map(([start, end, kind, label, title, text, group]) => ({ start, end, kind, label, title, text, group }));
const kindName = (kind) => say(data.kinds[kind] ?? kind);
