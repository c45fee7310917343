import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { EmptyPartContext, HiddenEmpty, NothingMatches, NothingYet } from "./empty";

beforeAll(stubBrowser);
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

it("doesn't say that there is nothing yet of a part, and why of what matches", async () => {
  const why = "Your role hides any others here.";
  const { container } = await renderInApp(
    <EmptyPartContext value={{ title: "No terms in this folder or below", why }}>
      <NothingYet title="No terms here yet">They are legal documents.</NothingYet>
      <NothingMatches what="terms" filters={["name is x"]} onClear={() => undefined}>
        <p>{why}</p>
      </NothingMatches>
    </EmptyPartContext>,
  );
  expect([...container.querySelectorAll("h2")].map(({ textContent }) => textContent)).toEqual([
    "No terms in this folder or below",
    "No terms match",
  ]);
  expect(container.textContent).not.toContain("yet");
  expect([...container.querySelectorAll("p")].map(({ textContent }) => textContent)).toEqual([why, why]);
});
