import type { BrowserContext } from "@playwright/test";

/** Problems that no test may cause: console errors, uncaught errors, violations of the Content-Security-Policy. */
export class Problems {
  readonly #seen: string[] = [];
  readonly #allowed: RegExp[] = [];

  /**
   * Allows matching lines, such as the one that Chromium logs for a rejected request: `/status of 400
   * .*\/iam\/v2\/groups/`. A line ends with the address it is about.
   */
  allow(line: RegExp): void {
    this.#allowed.push(line);
  }

  /** Watches every page of a context, including those opened later. */
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
      // No browser but WebKit writes it to its console.
      addEventListener("error", ({ message }) => {
        if (message.startsWith("ResizeObserver loop")) console.error(message);
      });
    });
  }

  /** Problems that no test allowed. */
  get unexpected(): readonly string[] {
    return this.#seen.filter((line) => !this.#allowed.some((allowed) => allowed.test(line)));
  }
}
