/**
 * Measures how fast the console responds to a hand (INP) on a CPU slowed four times, over three rounds of a tour through the demo
 * organization, 114 steps: `node tools/interactions.mjs [rounds] <address> [<address> ...]`. The addresses are running services
 * with the demo, such as builds of two commits; they take turns, step by step. A pointer rests on its target before it presses,
 * as a hand does. On a busy machine most of that is waiting, so it also prints the CPU time of the page's main thread: from a
 * press to its frame, which is how fast it would be on an idle machine, and for a whole step; and how many styles that computed.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { median, readAddresses, signInToDemo, startBrowser } from "./devtools.mjs";

const SLOWED = 4;
/** Milliseconds that the pointer rests on its target before it presses, and that a button or key stays down. */
const REST = 150;
const DOWN = 60;

/** Runs in each new page: records the longest event of each interaction (Event Timing), from the input to the next frame. */
function watch() {
  const durations = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0)
        durations.set(interactionId, Math.max(durations.get(interactionId) ?? 0, duration));
  }).observe({ type: "event", buffered: true, durationThreshold: 16 });
  window.takeInteractions = () => {
    const taken = [...durations.values()];
    durations.clear();
    return taken;
  };
  /** The first visible element that matches `selector` and whose label or text is `name`, or begins with it (`name*`). */
  window.findElement = (selector, name) =>
    [...document.querySelectorAll(selector)].find((element) => {
      const [by] = element.ariaLabelledByElements ?? [];
      const label = (element.ariaLabel ?? (by ?? element).textContent).trim();
      const same = name?.endsWith("*") ? label.startsWith(name.slice(0, -1)) : label === name;
      return (name === undefined || same) && element.checkVisibility();
    });
}

/** Also counts the busy loop that slows the thread down. */
const cpuOf = (events) => events.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000;
const PRESSES = new Set([
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "keydown",
  "keypress",
  "input",
  "keyup",
]);

/** The most milliseconds of CPU in a trace from the task of a press to that of the next frame, both included. */
function toFrame(trace) {
  const presses = trace.filter(({ name, args }) => name === "EventDispatch" && PRESSES.has(args.data.type));
  return Math.max(
    0,
    ...presses.map(({ pid, tid, ts }) => {
      const own = trace.filter((event) => event.pid === pid && event.tid === tid);
      const frame = Math.min(
        ...own.filter((event) => event.name === "Commit" && event.ts > ts).map((event) => event.ts),
      );
      return cpuOf(
        own.filter((task) => task.name === "RunTask" && task.ts + task.dur > ts && task.ts < frame),
      );
    }),
  );
}

/** How many styles of elements a trace has computed, one counted as often as it was. */
const stylesOf = (events) =>
  events.reduce(
    (sum, { name, args }) => sum + (name === "UpdateLayoutTree" ? (args.elementCount ?? 0) : 0),
    0,
  );

const find = (selector, name) => `findElement(${JSON.stringify(selector)}, ${JSON.stringify(name)})`;
const rows = (table) => `!!${find(`[role=table][aria-label="${table}"] [data-row-key]`)}`;
const dialog = (name) => find("[role=dialog], dialog", name);

const click = (selector, name) => ({ expression: find(selector, name) });
const to = (name) => click("nav a", name);
const button = (name) => click("button", name);
const link = (name) => click("main a", name);
const ESCAPE = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 };
const ENTER = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" };
const letter = (key) => ({
  key,
  text: key,
  code: `Key${key.toUpperCase()}`,
  windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
});
const OPEN_PALETTE = { ...letter("k"), text: undefined, modifiers: 2 };

/** What a hand does: `[what, pointer target or keys, true in the page once it is done]`. */
const STEPS = [
  ["list of groups", to("Groups"), rows("Groups")],
  ["page of a group", click("[data-row-key] a"), `!!${button("Edit").expression}`],
  ["form in a drawer", button("Edit"), `!!${dialog("Edit*")}`],
  ["cancel the form", button("Cancel"), `!${dialog("Edit*")}`],
  ["list of identities", to("Identities"), rows("Identities")],
  ["order by a column", click("[role=columnheader] button", "Name*"), 'location.search.includes("order=")'],
  ["menu of a row", button("Actions for*"), '!!document.querySelector("[role=menu]")'],
  ["close the menu", [ESCAPE], '!document.querySelector("[role=menu]")'],
  ["select a row", click("[data-row-key] input[type=checkbox]"), `!!${button("Clear").expression}`],
  ["clear the selection", button("Clear"), `!${button("Clear").expression}`],
  ["panel of filters", button("Add filter"), `!!${dialog("Filters")}`],
  ["close the panel", [ESCAPE], `!${dialog("Filters")}`],
  ["choose columns", button("Choose columns"), `!!${dialog("Columns")}`],
  ["close the columns", [ESCAPE], `!${dialog("Columns")}`],
  ["field for a search", click("main input[type=search]"), 'document.activeElement?.type === "search"'],
  ["search", [letter("s"), letter("i"), ENTER], 'location.search.includes("si")'],
  ["clear the search", button('Clear "Search*'), '!location.search.includes("si")'],
  ["page of an identity", click("[data-row-key] a"), `!!${button("Edit").expression}`],
  ["tab of its access", click('main [href*="tab=access"]'), 'location.search.includes("tab=access")'],
  ["list of repos", to("Repos"), rows("Repos")],
  ["page of a repo", click("[data-row-key] a"), `!!${button("Edit").expression}`],
  ["tab of its tags", link("Tags*"), rows("Tags")],
  ["tab of its overview", link("Overview"), `!(${rows("Tags")})`],
  ["palette", [OPEN_PALETTE], `!!${dialog("Search")}`],
  ["a letter in it", [letter("w")], '!!document.querySelector("[role=option]")'],
  ["close the palette", [ESCAPE], `!${dialog("Search")}`],
  ["palette again", [OPEN_PALETTE], `!!${dialog("Search")}`],
  ["close it again", [ESCAPE], `!${dialog("Search")}`],
  ["your account", button("Your account*"), `!!${dialog("Your account")}`],
  ["close that", [ESCAPE], `!${dialog("Your account")}`],
  ["list of role bindings", to("Role bindings"), rows("Role bindings")],
  ["list of roles", to("Roles"), rows("Roles")],
  ["form for a new record", button("Create role"), `!!${dialog("Create role")}`],
  ["close the form", [ESCAPE], `!${dialog("Create role")}`],
  ["menu of a role", button("Actions for*"), '!!document.querySelector("[role=menu]")'],
  ["close the menu again", [ESCAPE], '!document.querySelector("[role=menu]")'],
  ["page of a role", click("[data-row-key] a"), `!!document.querySelector("h1") && !${rows("Roles")}`],
  ["list of roles again", to("Roles"), rows("Roles")],
];

/** Presses the left button on an element, in its middle. */
async function press({ command, evaluate, until }, { expression }) {
  await until(`!!${expression}`);
  const [x, y] = await evaluate(`(() => {
    const element = ${expression};
    element.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  })()`);
  const mouse = (type, rest) => command("Input.dispatchMouseEvent", { type, x, y, ...rest });
  await mouse("mouseMoved");
  await sleep(REST);
  await mouse("mousePressed", { button: "left", buttons: 1, clickCount: 1 });
  await sleep(DOWN);
  await mouse("mouseReleased", { button: "left", clickCount: 1 });
}

async function type({ command }, keys) {
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as typed
    await command("Input.dispatchKeyEvent", { type: key.text ? "keyDown" : "rawKeyDown", ...key });
    // oxlint-disable-next-line no-await-in-loop
    await sleep(DOWN);
    // oxlint-disable-next-line no-await-in-loop
    await command("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }
}

/** A signed-in page with the list of groups, on a slow CPU. */
async function open(browser, address) {
  const page = await browser.openPage(address);
  await signInToDemo(page);
  await page.command("Page.addScriptToEvaluateOnNewDocument", { source: `(${watch})()` });
  await page.visit("/groups");
  await page.until(`window.takeInteractions && ${rows("Groups")}`);
  await page.command("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await page.command("Performance.enable", { timeDomain: "threadTicks" });
  const cpu = async () => {
    const { metrics } = await page.command("Performance.getMetrics");
    return 1_000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const take = async () => {
    // An entry arrives after the frame following the interaction's, and rows after their request.
    await sleep(400);
    await page.until('!document.querySelector("[data-stale]")');
    return page.evaluate("takeInteractions()");
  };
  await take();
  /**
   * Milliseconds of the slowest interaction of a step, at least 16; of CPU from its press to the frame; and of CPU for all of
   * the step.
   */
  const measure = async ([, act, done]) => {
    const trace = await browser.trace(["devtools.timeline", "disabled-by-default-devtools.timeline"]);
    const before = await cpu();
    await (Array.isArray(act) ? type(page, act) : press(page, act));
    await page.until(done);
    const took = Math.max(16, ...(await take()));
    const used = (await cpu()) - before;
    const events = await trace();
    return { took, used, framed: toFrame(events), styles: stylesOf(events) };
  };
  return { address, rounds: [], measure };
}

/** As browsers report INP: ignores the worst of every 50 interactions. */
const worst = (all) => all.toSorted((one, other) => other - one)[Math.floor(all.length / 50)];

const { rounds, addresses } = readAddresses("interactions.mjs", 3);
const browser = startBrowser();
try {
  const pages = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other, so that none disturbs another
  for (const address of addresses) pages.push(await open(browser, address));
  for (let round = 0; round < rounds; round += 1) {
    for (const page of pages) page.rounds.push([]);
    for (const step of STEPS)
      // oxlint-disable-next-line no-await-in-loop
      for (const page of pages) page.rounds[round].push(await page.measure(step));
  }
  for (const { address, rounds: measured } of pages) {
    const all = measured.flat().map(({ took }) => took);
    const framed = measured.flat().map((step) => step.framed);
    const used = measured.flat().reduce((sum, step) => sum + step.used, 0) / rounds;
    process.stdout.write(
      [
        `\n${address}: INP of ${all.length} interactions, slowed ${SLOWED} times: ${worst(all)} ms, median ${median(all)} ms; CPU to the frame ${Math.round(worst(framed))} ms, median ${Math.round(median(framed))} ms; ${Math.round(used)} ms of CPU a round`,
        `| interaction | ${measured.map((_, round) => `${round + 1}, ms`).join(" | ")} | CPU to the frame, ms | CPU, ms | styles |`,
        `| --- | ${measured.map(() => "---:").join(" | ")} | ---: | ---: | ---: |`,
        ...STEPS.map(([what], step) => {
          const times = measured.map((round) => round[step].took);
          const cpu = median(measured.map((round) => round[step].used));
          const framed = median(measured.map((round) => round[step].framed));
          const styles = median(measured.map((round) => round[step].styles));
          return `| ${what} | ${times.join(" | ")} | ${Math.round(framed)} | ${Math.round(cpu)} | ${styles} |`;
        }),
        "",
      ].join("\n"),
    );
  }
} finally {
  await browser.end();
}
