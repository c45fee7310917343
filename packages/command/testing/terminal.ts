import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { Browser } from "../../../server/platform/oidc/testing";

/** As built (tools/build.mjs). */
const PROGRAMS = {
  platform: fileURLToPath(new URL("../dist/platform.mjs", import.meta.url)),
  docker: fileURLToPath(new URL("../dist/docker-credential-platform.mjs", import.meta.url)),
};

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Terminal {
  /** Runs `platform` with these words, without a terminal; `input` is its standard input. */
  run(args: readonly string[], options?: Options): Promise<Ended>;
  /** Starts it, and calls `seen` with all of its standard error so far. */
  start(
    args: readonly string[],
    options?: Options & { seen?(err: string): void },
  ): {
    readonly child: ChildProcess;
    readonly ended: Promise<Ended>;
  };
}

interface Options {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: keyof typeof PROGRAMS;
}

/** A person at a machine whose files are in `home`. */
export function terminalAt(home: string): Terminal {
  const start: Terminal["start"] = (args, { input = "", env = {}, program = "platform", seen } = {}) => {
    const child = spawn(process.execPath, [PROGRAMS[program], ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, XDG_CONFIG_HOME: home, ...env },
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (out += part.toString()));
    child.stderr.on("data", (part: Buffer) => seen?.((err += part.toString())) ?? undefined);
    if (!seen) child.stderr.on("data", (part: Buffer) => (err += part.toString()));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return {
      child,
      ended: once(child, "close").then(([code]) => ({ code: code as number | null, out, err })),
    };
  };
  return { start, run: (args, options) => start(args, options).ended };
}

const ADDRESS = /^https?:\/\/\S+$/m;

/** Runs `platform login`, and creates this account in a browser at the address that it prints. */
export async function loginAs(
  terminal: Terminal,
  server: string,
  { email, password }: { readonly email: string; readonly password: string },
  more: readonly string[] = [],
): Promise<Ended> {
  let found: (address: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => (found = resolve));
  const { ended } = terminal.start(["login", "--server", server, "--no-browser", ...more], {
    seen(err) {
      const [asked] = ADDRESS.exec(err) ?? [];
      if (asked !== undefined) found(asked);
    },
  });
  const asked = await Promise.race([address, ended.then(({ err }) => Promise.reject(new Error(err)))]);
  const back = new URL(asked).searchParams.get("redirect_uri") ?? "";
  const browser = new Browser();
  const page = await browser.follow(await browser.get(asked), back);
  const sent = await browser.submit(`${page.url}/create-account`, { name: "", email, password });
  const { location } = await browser.follow(sent, back);
  await fetch(location ?? "");
  return ended;
}
