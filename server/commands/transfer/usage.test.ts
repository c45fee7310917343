import { afterEach, beforeEach, expect, test, vi } from "vitest";

const COMMANDS = {
  export: () => import("./export"),
  import: () => import("./import"),
  move: () => import("./move"),
  "reset-password": () => import("./reset-password"),
};

class Exit extends Error {}

const { argv } = process;
beforeEach(() => void vi.resetModules());
afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

/** Runs a command without settings; those that get further than the arguments fail. */
async function run(name: keyof typeof COMMANDS, args: readonly string[]) {
  let [code, printed, said] = [0, "", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said += String(text)), true));
  vi.spyOn(process, "exit").mockImplementation((status) => {
    code = Number(status);
    throw new Exit();
  });
  process.argv = ["node", name, ...args];
  await COMMANDS[name]().catch((error: unknown) => {
    if (!(error instanceof Exit)) throw error;
  });
  return { code, printed, said };
}

const names = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

test.each(names)("%s --help prints its usage on standard output, and ends with status 0", async (name) => {
  const usage = expect.stringContaining(`npm run ${name} -- --`);
  expect(await run(name, ["--help"])).toEqual({ code: 0, printed: usage, said: "" });
});

test.each([
  ["export", []],
  ["import", ["--form", "x"]],
  ["move", []],
  ["move", ["https://new.example"]],
  ["move", ["--public-url", "https://new.example", "--dryrun"]],
  ["move", ["--public-url="]],
  ["reset-password", []],
  ["reset-password", ["ada@example.com"]],
  ["reset-password", ["--email", "ada@example.com", "--second-factors"]],
] as const)("%s %j is refused with the usage and status 2", async (name, args) => {
  const usage = expect.stringContaining(`npm run ${name} -- --`);
  expect(await run(name, args)).toEqual({ code: 2, printed: "", said: usage });
});
