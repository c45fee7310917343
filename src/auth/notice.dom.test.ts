import { expect, it, vi } from "vitest";

import { showNotice } from "./notice";

it("says what is wrong, takes the focus, and offers one action", async () => {
  const root = document.body;
  let done: () => void = () => undefined;
  const run = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
  showNotice(root, "Console", {
    title: "Sign-in failed",
    message: "Refused.",
    lines: ["<b>access_denied</b>"],
    action: { label: "Sign in", run },
  });
  expect(document.title).toBe("Sign-in failed · Console");
  expect(document.activeElement?.textContent).toBe("Sign-in failed");
  expect(root.querySelector("li")?.textContent).toBe("<b>access_denied</b>");

  const button = root.querySelector("button") as HTMLButtonElement;
  button.click();
  button.click();
  expect(run).toHaveBeenCalledTimes(1);
  done();
  await vi.waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
});
