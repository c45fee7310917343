import { cleanup } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { PastedHint } from "./pasted-hint";

beforeAll(stubBrowser);
afterEach(cleanup);

it.each([
  ["eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", /^This is a token.* Test it to see which identity/],
  ["denied: requested access to the resource is denied", /^Denied: no role of the caller allows this there/],
  ["unauthorized: authentication required", /^Unauthorized: .* Test a token to see which identity/],
  ["repo:acme/app:ref:refs/heads/main", /^ ?Test a token to see which identity/],
  ["Olivia", /^$/],
])("says what a pasted text is, and what tells more: %s", async (text, says) => {
  const { container } = await renderInApp(<PastedHint text={text} />);
  expect(container.textContent).toMatch(says);
});
