// The code of each list apart from its route, as the router splits it.
const lists = import.meta.glob("../routes/*/index.tsx", { query: "?tsr-split=component" });

/** Loads the code of the list that the address names, side by side with the app rather than after it. */
export async function preloadScreen(): Promise<void> {
  const [name = ""] = location.pathname.slice(new URL(document.baseURI).pathname.length).split("/");
  await lists[`../routes/${name}/index.tsx`]?.();
}
