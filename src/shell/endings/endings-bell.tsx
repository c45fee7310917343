import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import { onDemand } from "~/ui/on-demand";

const Bell = onDemand(async () => (await import("./bell")).Bell);

/** Milliseconds without a first request after which the page counts as loaded. */
const QUIET_MS = 3_000;

/** The bell of what ends soon; asks for it, once, when everything on the first screen has been loaded. */
export function EndingsBell(): ReactNode {
  const loading = useIsFetching({ predicate: ({ state }) => state.status === "pending" }) > 0;
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = loading || loaded ? undefined : setTimeout(() => setLoaded(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [loading, loaded]);
  return loaded ? <Bell /> : null;
}
