// A long text in a box that scrolls. Its lines stand in blocks of some pages each, of which the browser lays out only
// those in sight (content-visibility). Marks are cut where lines end. Offsets are UTF-16 units of the whole text.
const makePane = (box) => {
  const LONGEST = 3000; // characters of a line, before it is cut at a blank
  const BLOCK = 5000;
  let lines = [];
  let blocks = [];
  let length = 0;

  const isSecondHalf = (text, place) => (text.charCodeAt(place) & 0xfc00) === 0xdc00;

  const cutLine = function* (text, start, end) {
    let from = start;
    while (end - from > LONGEST) {
      const blank = text.lastIndexOf(" ", from + LONGEST);
      let cut = blank > from + LONGEST / 2 ? blank + 1 : from + LONGEST;
      if (isSecondHalf(text, cut)) cut -= 1;
      yield [from, cut];
      from = cut;
    }
    yield [from, end];
  };
  const cutText = function* (text) {
    let start = 0;
    while (start < text.length) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      yield* cutLine(text, start, end);
      start = end + 1;
    }
  };

  const widthOf = (text) => (/[\u2e80-\uffef]/.test(text.slice(0, 500)) ? 17 : 8.2);

  const show = (text, marks, sections = []) => {
    clear();
    length = text.length;
    const width = widthOf(text);
    const perRow = Math.max(10, ((box.clientWidth || 700) - 60) / width);
    const all = document.createDocumentFragment();
    let block = null;
    let height = 0;
    let nextMark = 0;
    let nextSection = 0;
    let active = [];
    const close = () => {
      if (block) block.element.style.containIntrinsicSize = `auto ${Math.round(height)}px`;
    };
    for (const [from, to] of cutText(text)) {
      if (!block || to - block.start > BLOCK) {
        close();
        block = { start: from, firstLine: lines.length, element: make("div", null, "block") };
        blocks.push(block);
        all.append(block.element);
        height = 0;
      }
      while (nextMark < marks.length && marks[nextMark].start < to) active.push(marks[nextMark++]);
      active = active.filter((mark) => mark.end > from);
      const element = make("p");
      drawMarked(element, text, [from, to], active);
      while (nextSection < sections.length && sections[nextSection].start <= Math.max(from, to - 1)) {
        if (sections[nextSection].heading) element.dataset.heading = sections[nextSection].heading;
        nextSection += 1;
      }
      lines.push({ start: from, end: to, element });
      block.element.append(element);
      height += to === from ? 12 : Math.ceil((to - from) / perRow) * 27 + 6;
    }
    close();
    box.append(all);
    box.scrollTop = 0;
  };

  const clear = () => {
    box.replaceChildren();
    lines = [];
    blocks = [];
    length = 0;
  };

  // Where an offset is in the DOM.
  const placeOf = (offset) => {
    const line = lines[Math.max(0, firstAfter(lines, offset, (one) => one.start) - 1)];
    let left = Math.min(offset, line.end) - line.start;
    const walker = document.createTreeWalker(line.element, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (node && left > node.length) {
      left -= node.length;
      node = walker.nextNode();
    }
    return { line, node: node ?? line.element, at: node ? left : 0 };
  };
  const rangeOf = (start, end) => {
    const [first, last] = [placeOf(start), placeOf(end)];
    return new StaticRange({
      startContainer: first.node, startOffset: first.at, endContainer: last.node, endOffset: last.at,
    });
  };

  const characterAt = ({ node, at }) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, Math.min(at + 1, node.length ?? 0));
    return range;
  };
  const isInSight = (offset) => {
    const frame = box.getBoundingClientRect();
    const rect = characterAt(placeOf(offset)).getBoundingClientRect();
    return rect.bottom > frame.top && rect.top < frame.bottom && rect.height > 0;
  };

  // Scroll an offset to a share of the box's height. What is above it may not have been laid out yet, and moves it when
  // it is, so the place is looked at again. (Only the box is scrolled, which scrollIntoView does not promise.)
  const reveal = (offset, share = 0.3) => {
    if (!lines.length) return;
    const place = placeOf(offset);
    const { line } = place;
    const range = characterAt(place);
    const settle = (tries) => {
      if (!line.element.isConnected) return;
      const frame = box.getBoundingClientRect();
      const rect = range.getBoundingClientRect();
      const top = rect.height ? rect.top : line.element.getBoundingClientRect().top;
      const before = box.scrollTop;
      box.scrollTop += top - frame.top - share * frame.height;
      if (tries > 0 && Math.abs(box.scrollTop - before) > 2) requestAnimationFrame(() => settle(tries - 1));
    };
    const block = blocks[firstAfter(blocks, offset, (one) => one.start) - 1];
    box.scrollTop += block.element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    settle(6);
  };

  // Which offset stands at a height of the screen; exact to the row, as what is in sight is laid out.
  const topOf = ({ element }) => element.getBoundingClientRect().top;
  const offsetAt = (y) => {
    const place = firstAfter(blocks, y, topOf) - 1;
    if (place < 0) return 0;
    const own = lines.slice(blocks[place].firstLine, blocks[place + 1]?.firstLine ?? lines.length);
    const line = own[Math.max(0, firstAfter(own, y, topOf) - 1)];
    const rect = line.element.getBoundingClientRect();
    const share = rect.height ? Math.max(0, Math.min(1, (y - rect.top) / rect.height)) : 0;
    return line.start + share * (line.end - line.start);
  };
  const inSight = () => {
    const frame = box.getBoundingClientRect();
    return [offsetAt(frame.top), offsetAt(frame.bottom)];
  };

  return { show, clear, reveal, rangeOf, inSight, isInSight, length: () => length };
};
