import { useEffect, useState } from "react";

/** How long a component must be mounted before it loads more, in ms: not while the user scrolls past it. */
const SETTLED_MS = 200;

/** True once the component has been mounted for a moment, so it is not a row that the user scrolls past. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
