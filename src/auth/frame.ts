import { isCallback } from "./addresses";
import { AuthError } from "./errors";

/** Milliseconds after which a silent frame counts as failed. */
const FRAME_TIMEOUT_MS = 10_000;
const KIND = "platform-console:callback";

/**
 * In the hidden frame of a silent renewal, posts the provider's response to the parent page (same origin only).
 * Returns false everywhere else.
 */
export function answerFromFrame(href: string, base: string): boolean {
  if (window.parent === window || !isCallback(href, base)) return false;
  window.parent.postMessage({ kind: KIND, href }, location.origin);
  return true;
}

/**
 * Opens a URL in a hidden frame and waits until the frame returns to the console. Rejects with an AuthError:
 * `refused` if the page's policy forbids the frame, `unreachable` if nothing comes back.
 */
export function visitInFrame(address: string): Promise<string> {
  const frame = document.createElement("iframe");
  const over = new AbortController();
  const { signal } = over;
  frame.hidden = true;
  frame.title = "Renewing the session";
  return new Promise<string>((resolve, reject) => {
    const fail = (kind: "refused" | "unreachable", detail: string) =>
      reject(new AuthError(kind, "The session couldn't be renewed silently.", { detail }));
    const late = setTimeout(() => fail("unreachable", "no answer from the hidden frame"), FRAME_TIMEOUT_MS);
    signal.addEventListener("abort", () => clearTimeout(late));
    window.addEventListener(
      "message",
      ({ origin, source, data }: MessageEvent<unknown>) => {
        const { kind, href }: { kind?: unknown; href?: unknown } = Object(data);
        if (origin !== location.origin || source !== frame.contentWindow || kind !== KIND) return;
        resolve(String(href));
      },
      { signal },
    );
    document.addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective, blockedURI }) => {
        // Browsers report only the origin of another site's frame.
        if (/^(?:frame|child|default)-src$/.test(effectiveDirective) && frame.src.startsWith(blockedURI))
          fail("refused", effectiveDirective);
      },
      { signal },
    );
    frame.src = address;
    document.body.append(frame);
  }).finally(() => {
    over.abort();
    frame.remove();
  });
}
