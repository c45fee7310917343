import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import type { Address } from "./scope/address";
import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { useCleanAddress } from "./clean-address";

beforeAll(stubBrowser);
afterEach(cleanup);

let renders = 0;

const read = ({ order, drawer }: Address) => ({
  ...(typeof order === "string" && { order }),
  ...(typeof drawer === "string" && { drawer }),
});

function Screen() {
  renders += 1;
  const { order, drawer } = useCleanAddress(read);
  return <p>{[order, drawer].join(" ")}</p>;
}

it("renders a screen when its address changes, not with each step of a navigation", async () => {
  const { router } = await renderInApp(<Screen />, "/?order=name");
  expect(screen.getByText("name")).toBeTruthy();
  renders = 0;
  await act(() => router.load());
  expect(renders).toBe(0);
  await act(() => router.navigate({ to: ".", search: { order: "name", drawer: "edit" } as never }));
  expect(screen.getByText("name edit")).toBeTruthy();
  expect(renders).toBe(1);
});
