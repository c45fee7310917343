import { cleanup, render, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { ExpiryBadge, useEndTerm } from "./expiry";

afterEach(cleanup);

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

it.each([
  ["marks what has expired", inDays(-1), 7, "Expired"],
  ["marks what expires soon", inDays(5), 7, "Expiring soon"],
  ["leaves alone what is valid for longer", inDays(9), 7, ""],
  ["leaves alone what has no end", undefined, 7, ""],
  ["marks only a past end unless it is told what soon means", inDays(1), undefined, ""],
])("%s", (_, value, soon, text) => {
  const { container } = render(<ExpiryBadge value={value} {...(soon !== undefined && { soon })} />);
  expect(container.textContent).toBe(text);
  if (text !== "") expect(screen.getByText(text).dataset["tone"]).toBe("warning");
});

it.each([
  ["is over", inDays(-1), "Expired"],
  ["is not over", inDays(1), "Expires"],
  ["is not set", undefined, "Expires"],
])("calls the time of an end by whether it %s", (_, value, term) => {
  expect(renderHook(() => useEndTerm(value, "Expires", "Expired")).result.current).toBe(term);
});
