import { expect, type Locator, type Page } from "@playwright/test";

/** What is wrong with the focus, for a person who uses no pointer; "" when nothing is. Runs in the page. */
function whatIsWrong(): string {
  const element = document.activeElement ?? document.body;
  // Nothing has it: the next Tab begins at the top of the page.
  if (element === document.body || element === document.documentElement) return "nothing has the focus";
  const drawn = (of: Element, pseudo?: string): boolean => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(of, pseudo);
    return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  };
  // Headings, panels and the main part take the focus to be read on from: no controls, and nothing to point out.
  if (element.matches("[tabindex='-1']")) return "";
  // The calendar button of a date: the browser draws a ring around it, inside the field, where no page can look.
  if (element.matches("input[type=date]:not(:focus-visible)")) return "";
  // A ring of its own, of the link stretched over a row, or of the frame that looks like the control.
  const { parentElement: frame } = element;
  const rings = [drawn(element), drawn(element, "::after"), frame && drawn(frame)];
  if (element.matches(":focus-visible") && rings.some(Boolean)) return "";
  return `not shown: ${(element.cloneNode(false) as Element).outerHTML}`;
}

/** A person without a pointer: keys only, and after each of them somewhere that has the focus and shows it. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Waits for what the key does to the focus: code may come, a dialog hands the focus back when it is gone. */
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

  /** A key that leaves the page: there is nothing to have the focus until the next one is there. */
  leave(key: string): Promise<void> {
    return this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
    await this.#check(`typing ${text}`);
  }

  /** Walks with Tab (or another key) until there; fails when it comes around without having been there. */
  async walkTo(target: Locator, key: "Tab" | "Shift+Tab" | "ArrowDown" = "Tab"): Promise<void> {
    await expect(target).toBeVisible();
    const there = () => target.evaluate((element) => element === document.activeElement);
    for (let step = 0; step < 80 && !(await there()); step += 1) await this.press(key);
    await expect(target, `reached by ${key}`).toBeFocused();
  }
}
