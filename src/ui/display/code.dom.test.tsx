import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { Code } from "./code";

afterEach(cleanup);

it("shows invisible characters in its tooltip too", () => {
  const { container } = render(<Code value={"pull prod\u202elive"} what="command" oneLine />);
  const code = container.querySelector("code");
  expect(code?.textContent).toBe("pull prod\\u{202e}live");
  expect(code?.dataset["tip"]).toBe("pull prod\\u{202e}live");
});
