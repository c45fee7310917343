import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

import { freePort } from "../service";
import { find, KIT, needsKit, untilThere, type Engine, type Target } from "./engine";

const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";
// MiniBrowser has no headless mode.
export const webkit = { name: "WebKitGTK", programs: [DRIVER, SCREEN], start };

/** The name under which WebDriver answers with an element (https://www.w3.org/TR/webdriver2/#elements). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
type Reference = { readonly [ELEMENT]: string };

/** Starts an X server, on a display that it chooses and writes to its fourth file. */
async function startScreen() {
  const screen = spawn(SCREEN, ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = await once(screen.stdio[3] as Readable, "data");
  return { display: `:${String(number).trim()}`, stop: () => screen.kill() };
}

/** In the page: keeps what goes wrong from now on; WebDriver reports no errors of pages. */
const watch = (): void => {
  const seen = (window.pageErrors ??= []);
  const { error } = console;
  console.error = (...all: unknown[]) => (seen.push(all.join(" ")), error(...all));
  addEventListener("error", (event) => seen.push(`uncaught: ${event.message}`));
  addEventListener("unhandledrejection", ({ reason }) => seen.push(`uncaught: ${String(reason)}`));
  addEventListener("securitypolicyviolation", (event) => seen.push(`policy: ${event.effectiveDirective}`));
};

/** WebKitGTK's MiniBrowser over WebDriver. */
async function start(): Promise<Engine> {
  const screen = await startScreen();
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: screen.display },
    stdio: "ignore",
  });
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: T };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const { sessionId } = await untilThere(
    () => "WebKitWebDriver does not answer",
    () =>
      send<{ sessionId: string }>("POST", "", { capabilities: {} }).catch((error: unknown) => {
        if (error instanceof TypeError && driver.exitCode === null) return null;
        throw error;
      }),
  );
  await send("POST", `/${sessionId}/window/rect`, { width: 1280, height: 900 });

  const run = <T>(script: string, args: readonly unknown[]) =>
    send<T>("POST", `/${sessionId}/execute/sync`, { script, args });
  const call: Engine["call"] = async (work, ...args) => {
    if (await run(`return (${needsKit})()`, [])) await run(`${KIT}; (${watch})()`, []);
    return run<ReturnType<typeof work>>(`return (${work})(...arguments)`, args);
  };
  const there = async (target: Target): Promise<string> => {
    const found = await untilThere(
      () => `no ${JSON.stringify(target)}`,
      () => call(find, target),
    );
    return `/${sessionId}/element/${(found as unknown as Reference)[ELEMENT]}`;
  };
  /** Tries again if React replaced the element in between, or what lies over it has yet to leave. */
  const act = async (target: Target, what: string, body: object): Promise<void> => {
    await untilThere(
      () => `no lasting ${JSON.stringify(target)}`,
      async () => {
        try {
          await send("POST", `${await there(target)}/${what}`, body);
          return true;
        } catch (error) {
          if (/stale element reference|element click intercepted/.test(String(error))) return null;
          throw error;
        }
      },
    );
  };
  return {
    goto: (address) => send("POST", `/${sessionId}/url`, { url: address }),
    call,
    click: (target) => act(target, "click", {}),
    type: (target, text) => act(target, "value", { text }),
    errors: () => call(() => window.pageErrors ?? []),
    close: async () => {
      await send("DELETE", `/${sessionId}`);
      driver.kill();
      screen.stop();
    },
  };
}
