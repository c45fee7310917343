import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { ExternalLink } from "./external-link";

afterEach(cleanup);

it("shows the host beside a label that claims another one", () => {
  const { container } = render(<ExternalLink address="https://evil.example/x">good.example</ExternalLink>);
  // Without a stylesheet, the hidden words are not apart.
  const link = screen.getByRole("link", { name: /^good\.example ?\(opens in a new tab\)$/ });
  expect(link.getAttribute("href")).toBe("https://evil.example/x");
  expect(container.textContent).toContain("evil.example");
});

it.each(["https://good.example\\@evil.example/", "https://me:secret@evil.example/", "javascript:alert(1)"])(
  "shows %s as text",
  (address) => {
    const { container } = render(<ExternalLink address={address} />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(container.textContent).toBe(address);
  },
);
