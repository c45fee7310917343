import { useEffect, useState, type ComponentType } from "react";

/** What a hand does first that reaches the page: a pointer moves or touches, the focus moves, a key is pressed. */
export const FIRST_SIGNS = ["pointermove", "pointerdown", "focusin", "keydown"] as const;

let first: Promise<unknown> | undefined;
let begin: (value?: unknown) => void;

/** Settles with the first of these signs: what only answers to a hand is loaded then, without being asked for. */
export const firstUse = (): Promise<unknown> =>
  (first ??= new Promise((resolve) => {
    begin = resolve;
    for (const sign of FIRST_SIGNS)
      document.addEventListener(sign, resolve, { once: true, passive: true, capture: true });
  }));

/** As if there had been one: something is to be shown that comes with it. */
export function beginUse(): void {
  void firstUse();
  begin();
}

/** A component whose code comes with the first of these signs; nothing until then, and where it cannot be loaded. */
export function onFirstUse<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Shown(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P>>();
    useEffect(() => {
      let gone = false;
      firstUse()
        .then(load)
        .then((component) => gone || setLoaded(() => component))
        // What is loaded so is a help that nothing depends on.
        .catch(() => undefined);
      return () => {
        gone = true;
      };
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
