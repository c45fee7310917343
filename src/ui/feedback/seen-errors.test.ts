import { expect, it, vi } from "vitest";

import { noteError, forgetErrors, seenErrors } from "./seen-errors";

vi.stubGlobal("location", { pathname: "/repos", search: "?name=a" });

it("keeps each error once, the newest first, and at most fifty", () => {
  noteError({ message: "No", requestId: "1" });
  noteError({ message: "No", requestId: "1" });
  noteError({ message: "No", requestId: "2" });
  noteError({ message: "Unreachable" });
  noteError({ message: "Unreachable" });
  expect(seenErrors().map(({ message, requestId }) => [message, requestId])).toEqual([
    ["Unreachable", undefined],
    ["No", "2"],
    ["No", "1"],
  ]);
  expect(seenErrors()[0]?.page).toBe("/repos?name=a");
  for (let index = 0; index < 60; index += 1) noteError({ message: "No", requestId: `n${index}` });
  expect(seenErrors()).toHaveLength(50);
  forgetErrors();
  expect(seenErrors()).toEqual([]);
});
