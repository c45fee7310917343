import type { BrowserContext } from "@playwright/test";

/** What no journey may cause: errors in the browser's console, uncaught ones, violations of the page's policy. */
export class Problems {
  readonly #seen: string[] = [];
  readonly #allowed: RegExp[] = [];

  /**
   * Lets a test expect a line, such as the one that Chromium writes for a refused request:
   * `/status of 400 .*\/iam\/v2\/groups/`. The line ends with the address that it is about.
   */
  allow(line: RegExp): void {
    this.#allowed.push(line);
  }

  /** Watches every page of a context, also those that open later. */
  async watch(context: BrowserContext): Promise<void> {
    context.on("console", (message) => {
      if (message.type() === "error") this.#seen.push(`${message.text()} ${message.location().url}`.trim());
    });
    context.on("weberror", (error) =>
      this.#seen.push(`uncaught: ${error.error().stack ?? error.error().message}`),
    );
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`policy violation: ${effectiveDirective} of ${blockedURI} in ${sourceFile}`),
      );
    });
  }

  /** Those that no test expected. */
  get unexpected(): readonly string[] {
    return this.#seen.filter((line) => !this.#allowed.some((allowed) => allowed.test(line)));
  }
}
