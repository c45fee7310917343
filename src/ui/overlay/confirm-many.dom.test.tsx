import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { ConfirmManyDialog } from "./confirm-many-dialog";
import { renderInApp, stubBrowser } from "../testing/render";

async function open(names: readonly string[], typed: boolean) {
  const onConfirm = vi.fn();
  await renderInApp(
    <ConfirmManyDialog
      one="identity"
      many="identities"
      records={names.map((name) => ({ uid: name, name, where: `Acme / ${name}-team` }))}
      typed={typed}
      excluded={[]}
      consequence="They are gone."

      onClose={() => undefined}
      onConfirm={onConfirm}
    />,
  );
  const button = await screen.findByRole("button", { name: /^Delete / });
  const answer = (value: string) => {
    fireEvent.change(screen.getByRole("textbox"), { target: { value } });
    fireEvent.click(button);
  };
  return { onConfirm, button, answer };
}

beforeAll(stubBrowser);
afterEach(cleanup);

it("asks to type the count of a few records if deleting one asks for its name, and shows their folders", async () => {
  const { onConfirm, button, answer } = await open(["a", "b", "c"], true);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "a in Acme / a-team",
    "b in Acme / b-team",
    "c in Acme / c-team",
  ]);
  fireEvent.click(button);
  expect(screen.getByText("Type 3 to confirm.")).toBeDefined();
  answer("2");
  expect(onConfirm).not.toHaveBeenCalled();
  answer("3");
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("asks to type the name of a single record", async () => {
  const { onConfirm, answer } = await open(["ci"], true);
  answer("1");
  expect(onConfirm).not.toHaveBeenCalled();
  expect(screen.getByText("Type ci to confirm.")).toBeDefined();
  answer("ci");
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("needs only a click for a few records if deleting one needs only a click", async () => {
  const { onConfirm, button } = await open(["a", "b"], false);
  expect(screen.queryByRole("textbox")).toBeNull();
  fireEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
});
