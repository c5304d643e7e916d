// What is shown of one reply beside the example's text: the same in every place where a reply is shown.
const wordsOf = (kind) => say(kind.replaceAll("_", " "));
const badge = (kind) => make("span", wordsOf(kind), `badge b-${kind}`);

const countsOf = (record) => {
  const usage = Object.entries(record.usage)
    .filter(([, count]) => count !== null)
    .map(([name, count]) => `${say(name)} ${figure(count)}`);
  return [
    record.finish && say("finish: {reason}", { reason: record.finish }),
    usage.length && say("tokens: {counts}", { counts: usage.join(", ") }),
    `${record.seconds}\u00a0s`,
    record.calls !== 1 && say("{n} calls", { n: record.calls }),
    record.cost !== null && `$${record.cost.toFixed(4)}`,
    record.decoy && say("decoy given: {kind}, number {n}", { kind: record.decoy.kind, n: record.decoy.index + 1 }),
    record.causes.length && say("causes: {names}", { names: record.causes.map((cause) => say(cause)).join(", ") }),
  ].filter(Boolean).join(" · ");
};

const addField = (parent, title, value, className) => {
  if (value === null || value === undefined || value === "") return;
  parent.append(make("h3", title), make("pre", value, className));
};

const describeReply = (parent, record) => {
  addField(parent, say("Gold"), record.gold === "" ? say("(none)") : record.gold);
  addField(parent, say("Parsed answer"), record.answer === "" ? say("(an explicit empty answer)") : record.answer);
  addField(parent, record.kind === "error" || record.kind === "overlength" ? say("Error") : say("Why"), record.message);
  addField(parent, say("Reply"), record.text);
  addField(parent, say("Reasoning (not scored)"), record.reasoning);
};
