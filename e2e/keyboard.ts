import { expect, type Locator, type Page } from "@playwright/test";

/** Returns what is wrong with the focus for a keyboard user, or "" if nothing is. Runs in the page. */
function whatIsWrong(): string {
  const element = document.activeElement ?? document.body;
  // No element has the focus: the next Tab starts at the top of the page.
  if (element === document.body || element === document.documentElement) return "nothing has the focus";
  const drawn = (of: Element, pseudo?: string): boolean => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(of, pseudo);
    return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  };
  // Headings, panels and the main region take the focus only as a starting point; they are no controls and need no
  // ring.
  if (element.matches("[tabindex='-1']")) return "";
  // The calendar button of a date field: the browser draws its ring in a shadow tree that the page cannot inspect.
  if (element.matches("input[type=date]:not(:focus-visible)")) return "";
  // Either its own ring, that of the link stretched over the row, or that of the frame that looks like the control.
  const { parentElement: frame } = element;
  const rings = [drawn(element), drawn(element, "::after"), frame && drawn(frame)];
  if (element.matches(":focus-visible") && rings.some(Boolean)) return "";
  return `not shown: ${(element.cloneNode(false) as Element).outerHTML}`;
}

/** A keyboard-only user: after each key, some element must have the focus and show it. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Waits for the focus to settle: code may have to load, or a closing dialog returns the focus late. */
  async #check(after: string): Promise<void> {
    await expect
      .poll(() => this.#page.evaluate(whatIsWrong), {
        message: `focus after ${after}`,
        timeout: 5000,
        intervals: [50],
      })
      .toBe("");
  }

  async press(key: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await this.#page.keyboard.press(key);
      await this.#check(key);
    }
  }

  /** Presses a key that leaves the page, where nothing has the focus until the next page renders. */
  leave(key: string): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
    await this.#check(`typing ${text}`);
  }

  /** Presses Tab (or another key) until the target has the focus; fails after 80 steps. */
  async walkTo(target: Locator, key: "Tab" | "Shift+Tab" | "ArrowDown" = "Tab"): Promise<void> {
    await expect(target).toBeVisible();
    const there = () => target.evaluate((element) => element === document.activeElement);
    for (let step = 0; step < 80 && !(await there()); step += 1) await this.press(key);
    await expect(target, `reached by ${key}`).toBeFocused();
  }
}
