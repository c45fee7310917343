import "~/ui/fonts.css";
import "~/ui/theme.css";
import "~/ui/layout/global.css";

import { predictLoad, loadProvider } from "~/auth/predict-load";
import { answerFromFrame } from "~/auth/frame";
import { keepInvite } from "~/auth/invite";
import { showNotice } from "~/auth/notice";
import { isChunkError, recover, watchChunks } from "~/ui/feedback/chunk-error";
import { applyColorScheme } from "~/ui/layout/early-color-scheme";

import { loadApp } from "./load-app";

// The entry: small, and it requests all other files in parallel. A file that waited for another would cost an extra
// round trip.

const ignore = () => undefined;

/** Handles failing to load the rest of the console, which includes the code that explains why. */
async function fail(error: unknown): Promise<void> {
  if (isChunkError(error) && (await recover()) === "reloading") return;
  showNotice(document.getElementById("root") as HTMLElement, "Platform Console", {
    title: "The console couldn't start",
    lines: [String(error)],
    action: { label: "Try again", run: async () => location.reload() },
  });
}

// In the hidden frame of a silent renewal, nothing else runs.
if (!answerFromFrame(location.href, document.baseURI)) {
  keepInvite(document.baseURI);
  watchChunks();
  applyColorScheme();
  // The service puts it into the page; a static host has it as a file.
  const inline = document.getElementById("config")?.textContent;
  const config = inline
    ? Promise.resolve(new Response(inline))
    : fetch("config.json", { cache: "no-cache", credentials: "same-origin" });
  config.catch(ignore);
  const { app, provider } = predictLoad(location.href, document.baseURI);
  import("./start").then(({ start }) => start(config)).catch(fail);
  if (provider) loadProvider().catch(ignore);
  // Only signed-in users need the console.
  if (app) loadApp().catch(ignore);
}
