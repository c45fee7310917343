import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";

import { useWaitingParts } from "../waiting-parts";
import classes from "./after-load.module.css";

/** Milliseconds without a first request after which a page counts as loaded: one can follow another. */
const QUIET_MS = 150;

/** Appears once what is above it has loaded, so that it does not move. */
export function AfterLoad({ children }: { readonly children: ReactNode }): ReactNode {
  const isReading = useIsFetching({ predicate: ({ state }) => state.status === "pending" }) > 0;
  const loading = useWaitingParts() || isReading;
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = loading ? undefined : setTimeout(() => setLoaded(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  return (
    <div className={loaded ? undefined : classes["waiting"]} data-waiting={loaded ? undefined : ""}>
      {children}
    </div>
  );
}
