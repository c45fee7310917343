import { expect, it } from "vitest";

import { settle } from "./testing/fake-browser";
import { visitInFrame } from "./frame";

/** Reports that the page's policy blocked a frame, as browsers do. */
const block = (blockedURI: string) =>
  document.dispatchEvent(
    Object.assign(new Event("securitypolicyviolation"), { effectiveDirective: "frame-src", blockedURI }),
  );

it.each(["https://id.example", "https://id.example/auth?prompt=none"])(
  "is refused when the policy forbids its own frame, reported as %s",
  async (blocked) => {
    const visited = visitInFrame("https://id.example/auth?prompt=none");
    block(blocked);
    await expect(visited).rejects.toMatchObject({ kind: "refused", options: { detail: "frame-src" } });
    expect(document.querySelector("iframe")).toBeNull();
  },
);

it("is not refused when the policy forbids another frame, such as one of a browser extension", async () => {
  const visited = visitInFrame("https://id.example/auth?prompt=none");
  block("https://ads.example");
  await settle();
  const { contentWindow: source } = document.querySelector("iframe") as HTMLIFrameElement;
  const data = { kind: "platform-console:callback", href: "https://console.example/?code=c" };
  window.dispatchEvent(new MessageEvent("message", { data, source, origin: location.origin }));
  expect(await visited).toBe(data.href);
});
