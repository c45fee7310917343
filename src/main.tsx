import "./theme.css";
import "./kit/global.css";

import { showNotice } from "./auth/notice";
import { foresee, loadProvider, openSession, type Opened } from "./auth/open";
import { ConfigError, loadConfig, type Config } from "./config";
import { applyColorScheme } from "./kit/early-color-scheme";

applyColorScheme();

const root = document.getElementById("root") as HTMLElement;
let product = "Platform Console";

// The console itself is for somebody who is signed in, and comes side by side with the configuration then.
const loadApp = () => import("./app");
const ignore = () => undefined;
const needed = foresee(location.href, document.baseURI);
if (needed.app) loadApp().catch(ignore);
if (needed.provider) loadProvider().catch(ignore);

/** Config, session, query client, router, render; what keeps that from happening is said on the page. */
async function start(): Promise<void> {
  const config = await loadConfig();
  product = config.title;
  await show(config, await openSession(config));
}

async function show(config: Config, opened: Opened): Promise<void> {
  if (opened.state === "redirecting") return;
  if (opened.state === "signed-in") {
    const { mount } = await loadApp();
    return mount(root, { config, session: opened.session });
  }
  const { message, action } = opened;
  showNotice(root, product, {
    title: opened.state === "signed-out" ? "You are signed out" : "Sign-in did not work",
    message,
    ...(opened.state === "failed" && opened.detail !== undefined && { lines: [opened.detail] }),
    action: {
      label: action.label,
      run: async () => show(config, await action.run()).catch(fail),
    },
  });
}

function fail(error: unknown): void {
  const { message, explanation, lines } =
    error instanceof ConfigError
      ? error
      : new ConfigError("The console could not start", {
          lines: [error instanceof Error ? error.message : String(error)],
        });
  showNotice(root, product, {
    title: message,
    ...(explanation !== undefined && { message: explanation }),
    lines,
    action: { label: "Try again", run: async () => location.reload() },
  });
}

start().catch(fail);
