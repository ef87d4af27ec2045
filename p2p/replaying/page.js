// The page of a replayed game: draws one frame at a time. All text is set as text, never as HTML.
// The address says what is shown: #move=120&lang=ar&seat=2 (moves from 1; without a seat all hands are open).
"use strict";
{
  const game = JSON.parse(document.getElementById("data").textContent);
  const ALL = -1;
  const PLACES = { 3: ["bottom", "right", "left"], 4: ["bottom", "right", "top", "left"] }[game.seats];
  const SUITS = ["S", "H", "C", "D"]; // black and red in turn
  const RANKS = "23456789TJQKA";
  const PACE = 900; // milliseconds from one step to the next while it plays
  const STAYS = 250; // milliseconds on one step until the address names it
  const seats = [...Array(game.seats).keys()];
  const frames = whole(game.frames);
  const speech = Object.fromEntries(
    Object.entries(game.spoken).map(([code, one]) => [code, { ...one, frames: whole(one.frames) }]));
  const codes = Object.keys(speech);
  const shown = { move: 0, lang: game.language, seat: ALL };
  let timer = 0;
  let writing = 0;

  // What a frame leaves out is as in the frame before.
  function whole(changes) {
    let last = {};
    return changes.map((change) => (last = { ...last, ...change }));
  }

  const at = (id) => document.getElementById(id);

  // Fills an element anew, unless what it shows is as before.
  const filled = {};
  function once(id, what, inside) {
    const key = what.join();
    if (filled[id] === key) return;
    filled[id] = key;
    at(id).replaceChildren(...inside());
  }

  const say = (word) => speech[shown.lang].words[word];

  // No emoji in place of a suit, wherever the fonts would rather draw one.
  const plain = (text) => text.replace(/[♠♥♦♣]/g, "$&\ufe0e");

  function make(kind, values = {}, ...inside) {
    const element = document.createElement(kind);
    for (const [name, value] of Object.entries(values)) {
      if (name === "onclick") element.addEventListener("click", value);
      else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...inside.map((one) => (typeof one === "string" ? plain(one) : one)));
    return element;
  }

  function draw(kind, values = {}, ...inside) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
    element.append(...inside);
    return element;
  }

  // ---- cards -------------------------------------------------------------------------------------------------------

  const split = (word) => word.match(/../g) || [];
  const order = (card) => SUITS.indexOf(card[1]) * 13 - RANKS.indexOf(card[0]);
  const sorted = (word) => split(word).sort((one, other) => order(one) - order(other));

  const symbol = (suit) => draw("svg", {}, draw("use", { href: `#${suit}` }));

  function face(card, classes = "") {
    const name = speech[shown.lang].cards[card];
    const rank = card[0] === "T" ? make("span", { class: "ten" }, "10") : make("span", {}, card[0]);
    const values = { class: `card ${card[1]} ${classes}`, role: "img", "aria-label": name, title: name };
    values["data-card"] = card;
    return make("bdi", values, rank, symbol(card[1]));
  }

  const back = () => make("span", { class: "card shut", role: "img", "aria-label": say("card-hidden") });

  function row(cards, classes = "") {
    return make("div", { class: `cards ${classes}` }, ...cards);
  }

  // ---- the table ---------------------------------------------------------------------------------------------------

  const place = (seat) => PLACES[(seat - Math.max(shown.seat, 0) + game.seats) % game.seats];
  const open = (seat) => shown.seat === ALL || shown.seat === seat;

  function seatOf(seat, frame, spoken) {
    const badges = [...spoken.seats[seat]];
    const asked = frame.turn.includes(seat);
    if (asked) badges.push(say("replay-turn"));
    const parts = [
      make("bdi", { class: "who" }, speech[shown.lang].names[seat]),
      make("div", { class: "badges", dir: document.documentElement.dir }, ...badges.flatMap((one, number) => [
        number ? " · " : "", make("bdi", {}, one)])),
    ];
    if (frame.hands) parts.push(hand(seat, frame));
    if (frame.ends) parts.push(result(seat, game.scores[frame.scored - 1]));
    if (frame.taken && frame.taken[seat]) parts.push(row(sorted(frame.taken[seat]).map((card) => face(card)), "small"));
    return make("div", { class: `seat ${place(seat)} ${asked ? "asked" : ""}`, "data-seat": seat }, ...parts);
  }

  function result(seat, score) {
    const values = { class: "result", dir: document.documentElement.dir };
    return make("div", values, points(score.score[seat]), byRule(score.breakdown[seat]));
  }

  function hand(seat, frame) {
    const fresh = split(frame.new[seat]);
    const doubled = split(frame.doubled);
    const cards = sorted(frame.hands[seat]);
    const marks = (card) => (fresh.includes(card) ? "new " : "") + (doubled.includes(card) ? "doubled" : "");
    return row(cards.map((card) => (open(seat) ? face(card, marks(card)) : back())), "hand");
  }

  function middle(frame) {
    const parts = [];
    if (frame.rows) parts.push(rows(frame.rows));
    else if (frame.trick.length) parts.push(trick(frame));
    if (frame.kitty) parts.push(pile("replay-kitty", frame.kitty, frame.kittySeat < 0 || open(frame.kittySeat)));
    if (frame.aside) parts.push(pile("replay-aside", frame.aside, open(frame.asideSeat)));
    if (!frame.hands) parts.push(make("p", { dir: document.documentElement.dir }, say("replay-no-hands")));
    return make("div", { class: "middle" }, ...parts);
  }

  function trick(frame) {
    const done = frame.taker >= 0;
    const cards = frame.trick.map(([seat, card]) => face(card, `${place(seat)} ${seat === frame.taker ? "won" : ""}`));
    const values = { class: `trick ${done && frame.turn.length ? "past" : ""}`, role: "group",
      "aria-label": say(done ? "replay-trick-last" : "replay-trick") };
    return make("div", values, ...cards);
  }

  function pile(word, cards, visible) {
    const name = make("span", { class: "badges", dir: document.documentElement.dir }, say(word));
    return make("div", { class: "pile", "data-pile": word }, name,
      row(sorted(cards).map((card) => (visible ? face(card) : back())), "small apart"));
  }

  function rows(ends) {
    const lines = ["S", "H", "D", "C"].map((suit) => {
      const [low, high] = ends[suit].length ? ends[suit].map((card) => RANKS.indexOf(card[0])) : [13, -1];
      const cells = [...RANKS].map((rank, number) => make("td", { class: number >= low && number <= high && "laid" },
        rank === "T" ? "10" : rank));
      return make("tr", { "data-row": suit }, make("th", { class: suit }, symbol(suit)), ...cells);
    });
    return make("table", { class: "rows", "aria-label": say("replay-rows") }, ...lines);
  }

  // ---- what happened -----------------------------------------------------------------------------------------------

  function sentence(told) {
    const hidden = told.shut !== undefined && shown.seat !== ALL && !told.knows.includes(shown.seat);
    return hidden ? told.shut : told.open;
  }

  // Each pack's cards begin at the frame that its entry in `deals` names; a frame's deal is its place there.
  function story(frame) {
    const first = game.deals[frame.deal];
    const next = game.deals[frame.deal + 1] ?? frames.length;
    once("story", [shown.lang, shown.seat, frame.deal], () => {
      const lines = [];
      for (let number = first; number < next; number++) {
        const texts = speech[shown.lang].frames[number].told.filter((one) => !one.note).map(sentence);
        const press = make("button", { type: "button", onclick: () => go(number) }, texts.join(" "));
        lines.push(make("li", { hidden: !texts.length }, press));
      }
      return lines;
    });
    const line = at("story").children[shown.move - first];
    at("story").querySelector("[aria-current]")?.removeAttribute("aria-current");
    line.setAttribute("aria-current", "step");
    at("story").scrollTop = line.offsetTop - at("story").offsetTop - at("story").clientHeight / 2;
  }

  // ---- scores ------------------------------------------------------------------------------------------------------

  const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
  const points = (number) => make("bdi", { dir: "ltr", class: number < 0 && "loss" }, signed(number));

  function sheet() {
    const names = speech[shown.lang].names;
    const columns = names.map((name) => make("th", { scope: "col" }, make("bdi", {}, name)));
    const head = make("tr", {}, make("th", {}), ...columns);
    const lines = game.scores.map((score, number) => {
      const end = frames.findIndex((frame) => frame.ends && frame.scored === number + 1);
      const times = score.multiplier > 1 ? ` ×${score.multiplier}` : "";
      const label = make("button", { type: "button", onclick: () => go(end) }, 
        make("bdi", { dir: "ltr" }, `${score.deal}${times}`));
      const cells = seats.map((seat) => make("td", {}, points(score.score[seat]),
        make("small", {}, points(score.total[seat])), byRule(score.breakdown[seat])));
      const now = frames[shown.move]?.scored === number + 1;
      return make("tr", { class: now && "now" }, make("th", { scope: "row" }, label), ...cells);
    });
    const last = game.scores.at(-1);
    const sum = make("tr", {}, make("th", { scope: "row" }, say("points-total")),
      ...seats.map((seat) => make("td", {}, make("strong", {}, points(last ? last.total[seat] : 0)))));
    return [make("thead", {}, head), make("tbody", {}, ...lines), make("tfoot", {}, sum)];
  }

  function byRule(breakdown) {
    const rules = speech[shown.lang].rules;
    return make("ul", {}, ...Object.entries(breakdown).map(([rule, number]) =>
      make("li", { title: rule }, make("bdi", {}, rules[rule]), " ", points(number))));
  }

  // Totals over the deals, a line for each seat; time runs from left to right in both languages.
  function plot() {
    const width = 640, height = 260, left = 44, right = 120, edge = 14;
    const totals = [seats.map(() => 0), ...game.scores.map((score) => score.total)];
    const low = Math.min(0, ...totals.flat()), high = Math.max(0, ...totals.flat());
    const x = (number) => left + (number * (width - left - right)) / Math.max(1, totals.length - 1);
    const y = (value) => edge + ((high - value) * (height - 2 * edge)) / Math.max(1, high - low);
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("replay-plot") });
    for (const value of new Set([low, 0, high])) {
      svg.append(draw("line", { class: "axis", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
        draw("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, signed(value)));
    }
    const now = frames[shown.move]?.scored ?? 0;
    svg.append(draw("line", { class: "now", x1: x(now), x2: x(now), y1: edge, y2: height - edge }));
    const ends = seats.map((seat) => ({ seat, y: y(totals.at(-1)[seat]) })).sort((one, other) => one.y - other.y);
    ends.forEach((end, number) => { if (number) end.y = Math.max(end.y, ends[number - 1].y + 14); });
    for (const { seat, y: label } of ends) {
      const line = totals.map((total, number) => `${x(number)},${y(total[seat])}`).join(" ");
      svg.append(draw("g", { class: `line${seat}` }, draw("polyline", { points: line }),
        ...totals.map((total, number) => draw("circle", { cx: x(number), cy: y(total[seat]), r: 2.5 })),
        draw("text", { x: width - right + 8, y: label + 4 }, speech[shown.lang].names[seat])));
    }
    return [svg];
  }

  // ---- the page ----------------------------------------------------------------------------------------------------

  function option(value, text) {
    return make("option", { value }, text);
  }

  function redraw() {
    const spoken = speech[shown.lang];
    const root = document.documentElement;
    root.lang = shown.lang;
    root.dir = spoken.rtl ? "rtl" : "ltr";
    document.title = spoken.title;
    at("title").textContent = spoken.title;
    for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
    const other = codes[(codes.indexOf(shown.lang) + 1) % codes.length];
    at("language").textContent = speech[other].words["replay-language"];
    at("language").lang = other;
    const views = seats.map((seat) => option(seat, spoken.views[seat]));
    at("whose").replaceChildren(option(ALL, say("replay-all")), ...views);
    at("deals").replaceChildren(...spoken.deals.map((deal, number) => option(number, deal)));
    for (const [id, word] of [["deal-back", "replay-deal-back"], ["back", "replay-back"], ["on", "replay-on"],
      ["deal-on", "replay-deal-on"]]) name(id, word);
    at("table").setAttribute("aria-label", say("replay-table"));
    at("ending").textContent = spoken.ending;
    show();
  }

  function name(id, word) {
    at(id).setAttribute("aria-label", say(word));
    at(id).title = say(word);
  }

  function show() {
    at("whose").value = shown.seat;
    at("play").textContent = say(timer ? "replay-pause" : "replay-play");
    once("sheet", [shown.lang, frames[shown.move]?.scored], sheet);
    once("plot", [shown.lang, frames[shown.move]?.scored], plot);
    if (!frames.length) {
      at("told").textContent = say("replay-empty");
      return;
    }
    const frame = frames[shown.move];
    const spoken = speech[shown.lang].frames[shown.move];
    at("head").textContent = plain(spoken.head);
    at("facts").replaceChildren(...spoken.facts.map((fact) => make("li", {}, fact)));
    at("table").replaceChildren(...seats.map((seat) => seatOf(seat, frame, spoken)), middle(frame));
    at("told").replaceChildren(...spoken.told.map((one) => make("p", { class: one.note && "note" }, sentence(one))));
    at("step").max = frames.length;
    at("step").value = shown.move + 1;
    at("number").textContent = `${shown.move + 1}/${frames.length}`;
    at("deals").value = frame.deal;
    story(frame);
  }

  // Only where one stays: browsers stop a page that changes its address all the time.
  function write() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const seat = shown.seat === ALL ? "" : `&seat=${shown.seat}`;
      try {
        history.replaceState(null, "", `#move=${shown.move + 1}&lang=${shown.lang}${seat}`);
      } catch {
        // A page inside another page may not change its address; it works all the same.
      }
    }, STAYS);
  }

  function read() {
    clearTimeout(writing);
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (name, low, high, otherwise) => {
      const value = Number(asked.get(name));
      return asked.has(name) && Number.isInteger(value) ? Math.min(Math.max(value, low), high) : otherwise;
    };
    shown.move = Math.max(0, number("move", 1, frames.length, shown.move + 1) - 1);
    shown.seat = number("seat", ALL, game.seats - 1, ALL);
    if (codes.includes(asked.get("lang"))) shown.lang = asked.get("lang");
    redraw();
  }

  function go(move) {
    shown.move = Math.min(Math.max(move, 0), Math.max(frames.length - 1, 0));
    show();
    write();
  }

  function goDeal(steps) {
    const here = frames.length ? frames[shown.move].deal : 0;
    const back = steps < 0 && shown.move > game.deals[here]; // first to the beginning of this one
    go(game.deals[back ? here : here + steps] ?? (steps < 0 ? 0 : frames.length - 1));
  }

  function look(seat) {
    shown.seat = seat;
    show();
    write();
  }

  function turnLanguage() {
    shown.lang = codes[(codes.indexOf(shown.lang) + 1) % codes.length];
    redraw();
    write();
  }

  function play() {
    if (timer) clearInterval(timer);
    timer = timer ? 0 : setInterval(() => (shown.move + 1 < frames.length ? go(shown.move + 1) : play()), PACE);
    at("told").setAttribute("aria-live", timer ? "off" : "polite");
    show();
  }

  at("back").addEventListener("click", () => go(shown.move - 1));
  at("on").addEventListener("click", () => go(shown.move + 1));
  at("deal-back").addEventListener("click", () => goDeal(-1));
  at("deal-on").addEventListener("click", () => goDeal(1));
  at("play").addEventListener("click", play);
  at("step").addEventListener("input", () => go(Number(at("step").value) - 1));
  at("deals").addEventListener("change", () => go(game.deals[Number(at("deals").value)]));
  at("whose").addEventListener("change", () => look(Number(at("whose").value)));
  at("language").addEventListener("click", turnLanguage);
  at("by-rule").addEventListener("change", () => at("sheet").classList.toggle("by-rule", at("by-rule").checked));
  window.addEventListener("hashchange", read);

  const left = () => (speech[shown.lang].rtl ? 1 : -1); // where Arabic is read, time runs to the left
  const KEYS = {
    ArrowLeft: () => go(shown.move + left()),
    ArrowRight: () => go(shown.move - left()),
    Home: () => go(0),
    End: () => go(frames.length - 1),
    PageUp: () => goDeal(-1),
    PageDown: () => goDeal(1),
    " ": play,
    a: () => look(ALL),
    l: turnLanguage,
  };
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("select, input") || (event.key === " " && event.target.closest("button"));
    if (busy || event.ctrlKey || event.altKey || event.metaKey) return; // these have keys of their own
    const seat = "0123456789".indexOf(event.key);
    const action = KEYS[event.key] ?? KEYS[event.key.toLowerCase()] ?? (seats.includes(seat) ? () => look(seat) : null);
    if (!action) return;
    event.preventDefault();
    action();
  });
  read();
}
