/** What a hand does first that reaches the page: a pointer moves or touches, the focus moves. */
export const FIRST_SIGNS = ["pointermove", "pointerdown", "focusin"] as const;

let first: Promise<unknown> | undefined;

/** Settles with the first of these signs: what only answers to a hand is loaded then, without being asked for. */
export const firstUse = (): Promise<unknown> =>
  (first ??= new Promise((resolve) => {
    for (const sign of FIRST_SIGNS)
      document.addEventListener(sign, resolve, { once: true, passive: true, capture: true });
  }));
