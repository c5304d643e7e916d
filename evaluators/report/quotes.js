// Where the words that a reply quotes stand in a text. Which mark opens and which one closes is not asked: a stretch
// between any two that is long enough, and stands in the text to the letter, is a quotation.
const findQuotes = (reply, text) => {
  const MOST_PLACES = 3; // of one quotation
  const MOST_QUOTES = 200;
  const MOST_READ = 100_000_000;
  const ofHan = (stretch) => /[\u3400-\u9fff]/.test(stretch);
  const longEnough = (stretch) => stretch.length >= (ofHan(stretch) ? 8 : 20) && /[\s\u3400-\u9fff]/.test(stretch);
  const stretches = (reply ?? "")
    .split(/\\?["“”«»「」『』]|\\n|\n|\.{3}|…/)
    .map((stretch) => stretch.replace(/^[\s.,;:!?。，；：！？]+|[\s.,;:!?。，；：！？]+$/g, ""))
    .filter(longEnough);
  const marks = [];
  // Each is looked for in all of the text, which may be long.
  const most = Math.min(MOST_QUOTES, MOST_READ / (text.length + 1));
  for (const stretch of [...new Set(stretches)].slice(0, most)) {
    let start = text.indexOf(stretch);
    for (let count = 0; start >= 0 && count < MOST_PLACES; count += 1) {
      const end = start + stretch.length;
      marks.push({ start, end, kind: "quoted", label: "", title: "", text: "", group: 0 });
      start = text.indexOf(stretch, end);
    }
  }
  return marks;
};
