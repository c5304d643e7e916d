// A strip beside a long text that stands for all of it: a tick for each mark and hit, a frame for what is in sight.
const makeRail = (element, jump) => {
  const TICKS = 400; // places that can be told apart
  const window_ = make("div", null, "window");
  let length = 1;

  const ticksOf = (places, className) => {
    const seen = new Set(places.map((place) => Math.round((place / length) * TICKS)));
    return [...seen].map((place) => {
      const tick = make("div", null, `tick ${className}`);
      tick.style.top = `${(place / TICKS) * 100}%`;
      return tick;
    });
  };

  const draw = (newLength, groups) => {
    length = Math.max(1, newLength);
    element.replaceChildren(window_, ...groups.flatMap(([className, places]) => ticksOf(places, className)));
  };
  const move = ([from, to]) => {
    window_.style.top = `${(from / length) * 100}%`;
    window_.style.height = `${Math.max(0.5, ((to - from) / length) * 100)}%`;
  };

  const follow = (event) => {
    const rect = element.getBoundingClientRect();
    jump(Math.max(0, Math.min(1, (event.clientY - rect.top) / rect.height)) * length);
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    follow(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (element.hasPointerCapture(event.pointerId)) follow(event);
  });
  return { draw, move };
};
