import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { ReviewBadge } from "./review-badge";

afterEach(cleanup);

it.each([
  ["REVIEW_STATE_PENDING", "Waiting for review", "warning"],
  ["REVIEW_STATE_REQUEST_CHANGES", "Changes requested", "warning"],
  ["REVIEW_STATE_REJECTED", "Rejected", "danger"],
  ["REVIEW_STATE_OF_A_NEWER_SERVICE", "Not reviewed", "warning"],
])("%s is shown as %s", (state, word, tone) => {
  const { container } = render(<ReviewBadge of={state} />);
  expect(container.textContent).toBe(word);
  expect(container.querySelector<HTMLElement>("[data-tone]")?.dataset["tone"]).toBe(tone);
});

it("says nothing about an approved event", () => {
  expect(render(<ReviewBadge of="REVIEW_STATE_APPROVED" />).container.textContent).toBe("");
});
