import { afterEach, expect, test, vi } from "vitest";

import { command as exportCommand } from "./export";
import { command as importCommand } from "./import";
import { command as move } from "./move";
import { command as resetPassword } from "./reset-password";

const COMMANDS = { export: exportCommand, import: importCommand, move, "reset-password": resetPassword };

class Exit extends Error {}

afterEach(() => vi.restoreAllMocks());

/** Runs a command without settings; those that get further than the arguments fail. */
async function run(name: keyof typeof COMMANDS, args: readonly string[]) {
  let [code, printed, said] = [0, "", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said += String(text)), true));
  vi.spyOn(process, "exit").mockImplementation((status) => {
    code = Number(status);
    throw new Exit();
  });
  await Promise.resolve(COMMANDS[name].run(args)).catch((error: unknown) => {
    if (!(error instanceof Exit)) throw error;
  });
  return { code, printed, said };
}

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
  const { usage } = COMMANDS[name];
  expect(usage).toContain(`platform-console ${name} --`);
  expect(await run(name, args)).toEqual({ code: 2, printed: "", said: `${usage}\n` });
});
