import { useEffect, useState } from "react";

/** How long something has to be there before more is asked about it: not while somebody scrolls past it. */
const SETTLED_MS = 200;

/** Whether what is drawn has been there for a moment, and is no row that somebody scrolls past. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}
