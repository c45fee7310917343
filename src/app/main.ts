import "~/ui/theme.css";
import "~/ui/layout/global.css";

import { foresee, loadProvider } from "~/auth/foresee";
import { answerFromFrame } from "~/auth/frame";
import { keepInvite } from "~/auth/invite";
import { showNotice } from "~/auth/notice";
import { isChunkError, recover, watchChunks } from "~/ui/feedback/chunk-error";
import { applyColorScheme } from "~/ui/layout/early-color-scheme";

// The first file: a small one, which asks for all the others at once. Each that waited for another would wait for the line twice.

const ignore = () => undefined;

/** The rest of the console is missing, with the code that says why. */
async function fail(error: unknown): Promise<void> {
  if (isChunkError(error) && (await recover()) === "reloading") return;
  showNotice(document.getElementById("root") as HTMLElement, "Platform Console", {
    title: "The console could not start",
    lines: [String(error)],
    action: { label: "Try again", run: async () => location.reload() },
  });
}

// The hidden frame of a silent renewal stops here.
if (!answerFromFrame(location.href, document.baseURI)) {
  keepInvite(document.baseURI);
  watchChunks();
  applyColorScheme();
  const config = fetch("config.json", { cache: "no-cache", credentials: "same-origin" });
  config.catch(ignore);
  const { app, provider } = foresee(location.href, document.baseURI);
  import("./start").then(({ start }) => start(config)).catch(fail);
  if (provider) loadProvider().catch(ignore);
  // Only signed-in people need the console.
  if (app) import("./app").catch(ignore);
  // Where a visit that signs in will end is not in its address.
  if (app && !provider) import("./preload-screen").then(({ preloadScreen }) => preloadScreen()).catch(ignore);
}
