import "~/ui/theme.css";
import "~/ui/layout/global.css";

import { sendEarly } from "~/api/client/early-requests";
import { answerFromFrame } from "~/auth/frame";
import { keepInvite } from "~/auth/invite";
import { showNotice } from "~/auth/notice";
import { foresee, loadProvider, openSession, type Opened } from "~/auth/open";
import { ownerOf } from "~/auth/session";
import { ConfigError, loadConfig, type Config } from "~/config";
import { applyColorScheme } from "~/ui/layout/early-color-scheme";
import { isChunkError, recover, watchChunks } from "~/ui/feedback/chunk-error";

const root = document.getElementById("root") as HTMLElement;
let product = "Platform Console";

// Only signed-in people need the console; its code loads in parallel with the configuration.
const loadApp = () => import("./app");
const ignore = () => undefined;

/** When a new deployment removed the provider's chunk, reloads into the new version. */
const loadProviderOrReload: typeof loadProvider = () =>
  loadProvider().catch(async (error: unknown) => {
    // The reload ends every waiting caller.
    if (isChunkError(error) && (await recover()) === "reloading") return new Promise<never>(ignore);
    throw error;
  });

/** Config, session, query client, router, render. Failures are shown on the page. */
async function start(): Promise<void> {
  const config = await loadConfig();
  product = config.title;
  await show(config, await openSession(config, undefined, loadProviderOrReload));
}

async function show(config: Config, opened: Opened): Promise<void> {
  if (opened.state === "redirecting") return;
  if (opened.state === "signed-in") {
    const { person, token } = opened.session;
    const service = { baseUrl: config.apiBaseUrl, owner: ownerOf(person) };
    token().then((bearer) => sendEarly(service, bearer), ignore);
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

// The hidden frame of a silent renewal stops here.
if (!answerFromFrame(location.href, document.baseURI)) {
  keepInvite(document.baseURI);
  watchChunks();
  applyColorScheme();
  const needed = foresee(location.href, document.baseURI);
  if (needed.app) loadApp().catch(ignore);
  // Where a visit that signs in will end is not in its address.
  if (needed.app && !needed.provider)
    import("./preload-screen").then(({ preloadScreen }) => preloadScreen()).catch(ignore);
  if (needed.provider) loadProvider().catch(ignore);
  start().catch(fail);
}
