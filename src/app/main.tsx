import "~/ui/theme.css";
import "~/ui/layout/global.css";

import { answerFromFrame } from "~/auth/frame";
import { showNotice } from "~/auth/notice";
import { foresee, loadProvider, openSession, type Opened } from "~/auth/open";
import { ConfigError, loadConfig, type Config } from "~/config";
import { applyColorScheme } from "~/ui/layout/early-color-scheme";
import { isChunkError, recover, watchChunks } from "~/ui/feedback/chunk-error";

const root = document.getElementById("root") as HTMLElement;
let product = "Platform Console";

// The console itself is for somebody who is signed in, and comes side by side with the configuration then.
const loadApp = () => import("./app");
const ignore = () => undefined;

/** A provider that does not arrive because another version was deployed comes with that version. */
const loadProviderOrReload: typeof loadProvider = () =>
  loadProvider().catch(async (error: unknown) => {
    // Whoever waits goes with the page.
    if (isChunkError(error) && (await recover()) === "reloading") return new Promise<never>(ignore);
    throw error;
  });

/** Config, session, query client, router, render; what keeps that from happening is said on the page. */
async function start(): Promise<void> {
  const config = await loadConfig();
  product = config.title;
  await show(config, await openSession(config, undefined, loadProviderOrReload));
}

async function show(config: Config, opened: Opened): Promise<void> {
  if (opened.state === "redirecting") return;
  if (opened.state === "signed-in") {
    const { mount } = await loadApp();
    return mount(root, { config, session: opened.session });
  }
  const { message, action } = opened;
  showNotice(root, product, {
    title: opened.state === "signed-out" ? "You are signed out" : "Sign-in failed",
    message,
    ...(opened.state === "failed" && opened.detail !== undefined && { lines: [opened.detail] }),
    action: {
      label: action.label,
      run: async () => show(config, await action.run()).catch(fail),
    },
  });
}

async function fail(error: unknown): Promise<void> {
  if (isChunkError(error) && (await recover()) === "reloading") return;
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

// In the hidden frame of a silent renewal there is nothing else to do.
if (!answerFromFrame(location.href, document.baseURI)) {
  watchChunks();
  applyColorScheme();
  const needed = foresee(location.href, document.baseURI);
  if (needed.app) loadApp().catch(ignore);
  if (needed.provider) loadProvider().catch(ignore);
  start().catch(fail);
}
