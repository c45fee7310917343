import { useLayoutEffect, useState, type ComponentType } from "react";

import { Store } from "~/store";

/** Events of a first interaction: the pointer moves or touches, the focus moves, a key is pressed. */
export const FIRST_SIGNS = ["pointermove", "pointerdown", "focusin", "keydown"] as const;

/** Listens from when it is first asked for. */
const interaction = new Store(() => {
  let begin: (value?: unknown) => void = () => undefined;
  const begun = new Promise<unknown>((resolve) => {
    begin = resolve;
    for (const sign of FIRST_SIGNS)
      document.addEventListener(sign, resolve, { once: true, passive: true, capture: true });
  });
  return { begin, begun };
});

/** Resolves on the first interaction: time to load the code that only handles user input. */
export const firstUse = (): Promise<unknown> => interaction.get().begun;

/** Acts as a first interaction: something that loads on it must be shown now. */
export const beginUse = (): void => interaction.get().begin();

/** A component whose code loads on the first interaction; renders nothing until then, or if loading fails. */
export function onFirstUse<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Shown(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P>>();
    // Before the page is painted: the first press after it counts.
    useLayoutEffect(() => {
      let gone = false;
      firstUse()
        .then(load)
        .then((component) => gone || setLoaded(() => component))
        // Such components are optional: nothing depends on them.
        .catch(() => undefined);
      return () => {
        gone = true;
      };
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
