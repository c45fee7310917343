import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { useOpened } from "./use-opened";

beforeAll(stubBrowser);
afterEach(cleanup);

/** A page whose address never follows. */
function Screen() {
  const { shown, close } = useOpened({ drawer: "edit", item: "acme" }, () => undefined);
  return (
    <>
      <button onClick={close}>Close</button>
      {shown ? <p>The form</p> : null}
    </>
  );
}

it("hides a closed drawer before the address has changed", async () => {
  await renderInApp(<Screen />);
  expect(screen.getByText("The form")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("The form")).toBeNull();
});

it("shows a drawer that is opened again before the address has followed", async () => {
  const { router } = await renderInApp(<Screen />);
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await act(() => router.navigate({ to: ".", search: { drawer: "edit" } as never }));
  expect(screen.getByText("The form")).toBeTruthy();
});
