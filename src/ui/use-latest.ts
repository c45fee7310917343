import { useInsertionEffect, useRef, type RefObject } from "react";

/** A ref to the value of the newest render, for callbacks and effects that must not change with it. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  // Before every layout effect, so that these see it too.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
