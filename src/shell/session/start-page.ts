import { readPreference } from "~/ui/preferences";

/** The preference for the list that opens instead of the overview: "/tags". */
export const START_PAGE = "start-page";

/** Goes to the user's start page if they entered the console by its base address; a reload stays where it is. */
export function openStartPage(base: string): void {
  const start = readPreference(START_PAGE);
  const { pathname, search, hash } = location;
  const [entry] = performance.getEntriesByType("navigation");
  const isEntered = entry instanceof PerformanceNavigationTiming && entry.type === "navigate";
  if (start === null || !isEntered || pathname !== base || search !== "" || hash !== "") return;
  history.replaceState(history.state, "", `${base}${start.replace(/^\/+/, "")}`);
}
