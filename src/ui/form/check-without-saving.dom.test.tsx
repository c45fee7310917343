import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod/mini";

import { renderInApp, stubBrowser } from "../testing/render";
import { TextField } from "./fields";
import { FormDrawer } from "./form-drawer";
import { useResourceForm } from "./use-resource-form";

const schema = z.object({ name: z.string() });

interface CheckedProps {
  readonly onCheck: () => Promise<void>;
  readonly onClose?: () => void;
}

function Checked({ onCheck, onClose = () => undefined }: CheckedProps) {
  const form = useResourceForm({ schema, defaultValues: { name: "" } });
  return (
    <FormDrawer
      title="Create thing"
      opened
      onClose={onClose}
      form={form}
      onSubmit={async () => undefined}
      onCheck={onCheck}
      onSaved={() => undefined}
      submitLabel="Create thing"
      savingLabel="Creating"
    >
      <TextField name="name" label="Name" />
    </FormDrawer>
  );
}

const check = () => fireEvent.click(screen.getByRole("button", { name: /^Check/ }));

beforeAll(stubBrowser);
afterEach(cleanup);

it("says what the service would do until a field changes", async () => {
  await renderInApp(<Checked onCheck={async () => undefined} />);
  check();
  await screen.findByText(/^The service would do this now/);
  fireEvent.change(screen.getByRole("textbox", { name: "Name" }), { target: { value: "ci" } });
  await waitFor(() => expect(screen.queryByText(/^The service would do this now/)).toBeNull());
  // Not because it is forgotten: a check of the new values says so again.
  check();
  await screen.findByText(/^The service would do this now/);
});

it("never says that it creates while it checks, however often it is pressed", async () => {
  const onCheck = vi.fn(() => new Promise<void>(() => undefined));
  await renderInApp(<Checked onCheck={onCheck} />);
  check();
  await screen.findByRole("button", { name: "Checking…" });
  check();
  // Long enough for what a press does.
  await waitFor(() => expect(onCheck).toHaveBeenCalledTimes(1));
  expect(screen.getByRole("button", { name: "Checking…" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Creating…" })).toBeNull();
});

it("can be closed while it checks, which changes nothing", async () => {
  const onClose = vi.fn();
  await renderInApp(<Checked onCheck={() => new Promise(() => undefined)} onClose={onClose} />);
  check();
  await screen.findByRole("button", { name: "Checking…" });
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
