// The texts that the page holds packed: deflated, in base64, a line each. They are unpacked when they are asked for.
const unpack = (() => {
  let lines;
  // Of the texts unpacked the last few: going from reply to reply mostly stays with one.
  const kept = new Map();
  const MOST_KEPT = 4;

  const bytesOf = (line) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(line);
    const chars = atob(line);
    const bytes = new Uint8Array(chars.length);
    for (let place = 0; place < chars.length; place += 1) bytes[place] = chars.charCodeAt(place);
    return bytes;
  };
  const inflate = async (line) => {
    const bytes = bytesOf(line);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const plain = await new Response(stream).arrayBuffer();
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(plain);
  };

  return (place) => {
    if (!kept.has(place)) {
      lines ??= document.getElementById("packed").textContent.trim().split("\n");
      kept.set(place, inflate(lines[place]));
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    }
    return kept.get(place);
  };
})();
