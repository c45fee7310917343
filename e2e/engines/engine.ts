import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** What a person would look for: by role or, with the role "label", by the label of a field; `name` is a pattern. */
export interface Target {
  readonly role: string;
  readonly name: string;
  /** A selector; the last element that matches it is searched. */
  readonly within?: string;
}

/** A browser of another engine than Playwright's, with what the shared steps need. */
export interface Engine {
  goto(address: string): Promise<void>;
  /** Calls a function in the page, which sees its JSON arguments and the page, and nothing of this process. */
  call<R, A extends readonly unknown[]>(work: (...args: A) => R, ...args: A): Promise<R>;
  /** Clicks the target with the pointer, as soon as it is there. */
  click(target: Target): Promise<void>;
  type(target: Target, text: string): Promise<void>;
  /** Errors of pages and consoles so far. */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Kit {
  queryAllByRole(root: Element, role: string, options: { name: RegExp }): HTMLElement[];
  queryAllByLabelText(root: Element, text: RegExp): HTMLElement[];
}

declare global {
  interface Window {
    readonly TestingLibraryDom?: Kit;
    pageErrors?: string[];
  }
}

/** Defines `TestingLibraryDom` in a page. */
export const KIT = readFileSync(
  "node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js",
  "utf8",
);

/** In the page: whether it still needs the kit. */
export const needsKit = (): boolean => window.TestingLibraryDom === undefined;

/** In the page: the first element that matches, or null. */
export const find = ({ role, name, within = "body" }: Target): HTMLElement | null => {
  const root = [...document.querySelectorAll(within)].at(-1);
  const kit = window.TestingLibraryDom;
  if (!root || !kit) return null;
  const found =
    role === "label"
      ? kit.queryAllByLabelText(root, new RegExp(name))
      : kit.queryAllByRole(root, role, { name: new RegExp(name) });
  return found[0] ?? null;
};

/** Calls until the outcome is not null. `why` says at the end what it was waiting for. */
export async function untilThere<T>(why: () => string, work: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is there
    const found = await work();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(why());
    // oxlint-disable-next-line no-await-in-loop -- a pause between two looks
    await setTimeout(50);
  }
}
