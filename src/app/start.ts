import { sendEarly } from "~/api/client/early-requests";
import { showNotice } from "~/auth/notice";
import { loadProvider } from "~/auth/predict-load";
import { openSession, type OpenedSession } from "~/auth/open";
import { ownerOf } from "~/auth/session";
import { ConfigError, loadConfig, type Config } from "~/config";
import { isChunkError, recover } from "~/ui/feedback/chunk-error";
import { firstRequests } from "./first-requests";
import { loadApp } from "./load-app";

// The code of each screen, as the router splits it from its route (`codeSplittingOptions` in vite.config.ts).
const screens = import.meta.glob(["../routes/**/*.tsx", "!**/__root.tsx", "!**/-*"], {
  query: "?tsr-split=component---loader",
});

/** Loads the code of the screen at the current URL, in parallel with the app. */
async function preloadScreen(): Promise<void> {
  const path = location.pathname.slice(new URL(document.baseURI).pathname.length).replace(/\/$/, "");
  const [collection] = path.split("/");
  const route = [path, `${path}/index`, `${collection}/$uid`]
    .map((name) => `../routes/${name.replace(/^\//, "")}.tsx`)
    .find((name) => name in screens);
  await (route && screens[route]?.());
}

const root = document.getElementById("root") as HTMLElement;

const ignore = () => undefined;

/** Reloads into the new version if a new deployment removed the provider's chunk. */
const loadProviderOrReload: typeof loadProvider = () =>
  loadProvider().catch(async (error: unknown) => {
    // Never resolves: the reload ends every caller.
    if (isChunkError(error) && (await recover()) === "reloading") return new Promise<never>(ignore);
    throw error;
  });

/** Starts the console: config, session, app. Shows failures on the page. `requested`: the config.json request. */
export async function start(requested: Promise<Response>): Promise<void> {
  let product: string | undefined;
  try {
    const config = await loadConfig(requested);
    product = config.title;
    await show(config, await openSession(config, undefined, loadProviderOrReload));
  } catch (error) {
    await fail(error, product);
  }
}

async function show(config: Config, opened: OpenedSession): Promise<void> {
  if (opened.state === "redirecting") return;
  if (opened.state === "signed-in") {
    const { person, token } = opened.session;
    const service = { baseUrl: config.apiBaseUrl, owner: ownerOf(person) };
    const first = firstRequests(location, document.baseURI, person);
    token().then((bearer) => sendEarly(service, bearer, first), ignore);
    preloadScreen().catch(ignore);
    const { mount } = await loadApp();
    return mount(root, { config, session: opened.session });
  }
  const { message, action } = opened;
  showNotice(root, config.title, {
    title: opened.state === "signed-out" ? "You're signed out" : "Sign-in failed",
    message,
    ...(opened.state === "failed" && opened.detail !== undefined && { lines: [opened.detail] }),
    action: {
      label: action.label,
      run: async () => show(config, await action.run()).catch((error) => fail(error, config.title)),
    },
  });
}

async function fail(error: unknown, product = "Platform Console"): Promise<void> {
  if (isChunkError(error) && (await recover()) === "reloading") return;
  const { message, explanation, lines } =
    error instanceof ConfigError
      ? error
      : new ConfigError("The console couldn't start", {
          lines: [error instanceof Error ? error.message : String(error)],
        });
  showNotice(root, product, {
    title: message,
    ...(explanation !== undefined && { message: explanation }),
    lines,
    action: { label: "Try again", run: async () => location.reload() },
  });
}
