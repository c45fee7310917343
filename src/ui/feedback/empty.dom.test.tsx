import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { HiddenEmpty } from "./empty";

afterEach(cleanup);

it.each([
  ["no permission that it knows", {}, "You don't have permission to view this."],
  ["a permission", { needs: "view roles" }, "You need permission to view roles."],
  [
    "a permission, and why it takes that one",
    { needs: "view role bindings", because: "The audit log tells who got which role" },
    "The audit log tells who got which role, so it needs permission to view role bindings.",
  ],
])("says of what is hidden that it takes %s", (_, props, text) => {
  const { container } = render(<HiddenEmpty {...props} />);
  expect([...container.querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual([text]);
});
