// The reader: one reply, and the whole text of its example with its marks, over the page. It is made anew for what it
// shows and emptied when it is closed, so that a long text takes memory only while it is read.
const makeReader = (tags, { neighbours, went, closed }) => {
  const dialog = make("dialog", null, "reader");
  dialog.id = "reader";
  const head = make("div", null, "reader-head");
  const body = make("div", null, "reader-body");
  const side = make("div", null, "reader-side");
  side.tabIndex = 0;
  const main = makeMainText();
  let shown = null;

  const step = (by) => {
    const all = neighbours();
    const next = all[all.indexOf(shown) + by];
    if (next && all.includes(shown)) {
      went(next);
      open(next);
    }
  };
  const close = () => dialog.close();
  const previous = button("‹", () => step(-1), say("previous reply"));
  const next = button("›", () => step(1), say("next reply"));
  const place = make("span", "", "quiet place-in-list");
  const about = make("div", null, "reader-about");
  const shut = button("×", close, say("close"));
  shut.className = "shut";
  head.append(previous, next, place, about, shut);

  const tabs = make("div", null, "reader-tabs");
  const tab = (name, text) => {
    const made = button(text, () => turnTo(name));
    made.dataset.tab = name;
    tabs.append(made);
  };
  const turnTo = (name) => {
    body.dataset.tab = name;
    for (const made of tabs.children) made.setAttribute("aria-pressed", String(made.dataset.tab === name));
    if (name === "text") main.seen();
  };
  tab("reply", say("reply"));
  tab("text", say("text"));

  const keys = make("div", null, "keys quiet");
  const hints = [
    ["j", "k", say("next, previous reply")],
    ["n", "p", say("next, previous mark")],
    ["/", say("search")],
    ["f", say("flag")],
    ["Esc", say("close")],
  ];
  for (const hint of hints) {
    const words = hint.pop();
    const one = make("span");
    one.append(...hint.flatMap((key) => [make("kbd", key), " "]), words);
    keys.append(one);
  }
  body.append(side, main.element);
  dialog.append(head, tabs, body, keys);
  document.body.append(dialog);

  const jump = (mark) => {
    turnTo("text");
    main.goTo(mark);
  };
  const stepMark = (by) => {
    turnTo("text"); // only what is in sight can be scrolled
    main.step(by);
  };
  const drawHead = (record) => {
    const all = neighbours();
    const at = all.indexOf(record);
    previous.disabled = at <= 0;
    next.disabled = at < 0 || at + 1 >= all.length;
    place.textContent = at < 0 ? "" : `${figure(at + 1)} / ${figure(all.length)}`;
    about.replaceChildren(badge(record.kind), make("span", record.id, "mono"));
    if (data.runs.length > 1) about.append(make("span", data.runs[record.run], "quiet"));
    if (record.repeat > 0) about.append(make("span", say("repeat {n}", { n: record.repeat + 1 }), "quiet"));
    dialog.setAttribute("aria-label", record.id);
  };
  const drawSide = (record, parts) => {
    side.replaceChildren(make("p", countsOf(record), "quiet"));
    for (const part of parts) side.append(...drawSidePart(part, main, jump));
    if (!parts.length && record.question !== null) addField(side, say(data.asked[record.run]), data.questions[record.question]);
    describeReply(side, record);
    const boxes = tags.controls(record);
    if (boxes) side.append(boxes);
    side.scrollTop = 0;
  };

  const open = async (record) => {
    if (shown === record && dialog.open) return;
    shown = record;
    dialog.dataset.state = "opening";
    drawHead(record);
    drawSide(record, []);
    if (!dialog.open) {
      turnTo("reply");
      dialog.showModal();
      side.focus({ preventScroll: true });
    }
    if (record.document === null) {
      main.say(say("The text of this example is not in this page; the data set and the run folder hold everything."));
    } else {
      try {
        const document_ = await readDocument(record);
        if (shown !== record) return; // another was opened meanwhile
        main.show(document_);
        drawSide(record, document_.side);
      } catch (error) {
        if (shown !== record) return;
        main.say(say("This browser cannot unpack the text: {error}", { error: String(error) }));
      }
    }
    dialog.dataset.state = "ready";
  };

  dialog.addEventListener("close", () => {
    shown = null;
    dialog.dataset.state = "";
    main.clear();
    side.replaceChildren();
    about.replaceChildren();
    closed();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const action = {
      j: () => step(1),
      k: () => step(-1),
      n: () => stepMark(1),
      p: () => stepMark(-1),
      f: () => {
        tags.toggleFlag(shown);
        side.querySelector("fieldset.tags")?.replaceWith(tags.controls(shown));
      },
      "/": () => {
        turnTo("text");
        main.search();
      },
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  return { open, close };
};
