// The code of each screen apart from its route, as the router splits it.
const screens = import.meta.glob(["../routes/**/*.tsx", "!**/__root.tsx", "!**/-*"], {
  query: "?tsr-split=component",
});

/** Loads the code of the screen that the address names, side by side with the app rather than after it. */
export async function preloadScreen(): Promise<void> {
  const path = location.pathname.slice(new URL(document.baseURI).pathname.length).replace(/\/$/, "");
  const [collection] = path.split("/");
  const route = [path, `${path}/index`, `${collection}/$uid`]
    .map((name) => `../routes/${name.replace(/^\//, "")}.tsx`)
    .find((name) => name in screens);
  await (route && screens[route]?.());
}
