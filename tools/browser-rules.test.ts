import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What a user can press against: listeners of events, subscriptions to navigations, and the focus. */
const TAKES_INPUT = /\baddEventListener\(|\bsubscribe\(|\.focus\(/;

/** The effects of `text` that run after the paint, and listen for input or move the focus. */
function lateListeners(file: string, text: string): string[] {
  const found: string[] = [];
  if (!/\buseEffect\(/.test(text) || !TAKES_INPUT.test(text)) return found;
  new Visitor({
    CallExpression({ callee, start, end }) {
      if (callee.type !== "Identifier" || callee.name !== "useEffect") return;
      if (TAKES_INPUT.test(text.slice(start, end)))
        found.push(`${file}:${text.slice(0, start).split("\n").length}`);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

test("finds an effect that listens after the paint", () => {
  const text = `useLayoutEffect(() => document.addEventListener("copy", copy));
useEffect(() => {
  window.addEventListener("keydown", press);
});
useEffect(() => note(field.current));`;
  expect(lateListeners("example.ts", text)).toEqual(["example.ts:2"]);
});

/** What runs beside the service: tests, and what measures it. */
const BESIDE = /^(?:attacks|bench|conformance|durability|testing)\/|\.long\./;

const read = (folder: string, but = /^$/) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing[/-]|node_modules/.test(file) && !but.test(file),
    )
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")] as const);

const sources = [...read("contract"), ...read("src")];

test("what listens for input, or takes the focus, does so before it is painted, so that no press is lost", () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(([file, text]) => lateListeners(file, text))).toEqual([]);
});

/** Variables of a module that it can change: state that no name tells of, and that no test can reset. */
function variables(file: string, text: string): string[] {
  return parseSync(file, text).program.body.flatMap((statement) => {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    return declared?.type === "VariableDeclaration" && declared.kind !== "const"
      ? [`${file}:${text.slice(0, declared.start).split("\n").length}`]
      : [];
  });
}

test("no module has a variable: what changes is in a store (src/store.ts), an object or a closure", () => {
  const text = "let a;\nexport let b = 1;\nexport const c = () => {\n  let d;\n};\nvar e;";
  expect(variables("example.ts", text)).toEqual(["example.ts:1", "example.ts:2", "example.ts:6"]);
  expect([...sources, ...read("server", BESIDE)].flatMap(([file, each]) => variables(file, each))).toEqual(
    [],
  );
});

test("sizes are observed by observeSize(), which writes nothing within the observer's call", () => {
  const observing = sources.filter(([, text]) => /\bnew ResizeObserver\b/.test(text)).map(([file]) => file);
  expect(observing).toEqual(["src/ui/observe-size.ts"]);
});
