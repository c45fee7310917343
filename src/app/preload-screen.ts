// The code of each screen, as the router splits it from its route (`codeSplittingOptions` in vite.config.ts).
const screens = import.meta.glob(["../routes/**/*.tsx", "!**/__root.tsx", "!**/-*"], {
  query: "?tsr-split=component---loader",
});

/** Loads the code of the screen at the current URL, in parallel with the app. */
export async function preloadScreen(): Promise<void> {
  const path = location.pathname.slice(new URL(document.baseURI).pathname.length).replace(/\/$/, "");
  const [collection] = path.split("/");
  const route = [path, `${path}/index`, `${collection}/$uid`]
    .map((name) => `../routes/${name.replace(/^\//, "")}.tsx`)
    .find((name) => name in screens);
  await (route && screens[route]?.());
}
