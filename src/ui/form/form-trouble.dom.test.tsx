import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod/mini";

import { WritesPausedContext, type WritesPaused } from "../feedback/writes-paused";
import { renderInApp, stubBrowser } from "../testing/render";
import { TextField } from "./fields";
import { FormDrawer } from "./form-drawer";
import { NothingToSave } from "./nothing-to-save";
import { useResourceForm } from "./use-resource-form";

const schema = z.object({ name: z.string() });
const heldBack: WritesPaused = { reason: "api.example cannot be reached.", tryNow: () => undefined };

interface ThingProps {
  onSubmit: () => Promise<string>;
  onReload?: (current: unknown) => void;
}

function Thing({ onSubmit, onReload }: ThingProps) {
  const form = useResourceForm({ schema, defaultValues: { name: "" } });
  const [down, setDown] = useState(false);
  return (
    <WritesPausedContext value={down ? heldBack : undefined}>
      <FormDrawer
        title="Edit thing"
        opened
        onClose={() => undefined}
        form={form}
        onSubmit={onSubmit}
        onSaved={() => undefined}
        onReload={onReload}
        submitLabel="Save changes"
      >
        <TextField name="name" label="Name" />
        <button type="button" onClick={() => setDown(!down)}>
          Cut
        </button>
      </FormDrawer>
    </WritesPausedContext>
  );
}

const save = () => screen.getByRole("button", { name: "Save changes" });
const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Name" });
const failing = (facts: object) => vi.fn(() => Promise.reject(Object.assign(new Error("No."), facts)));

beforeAll(stubBrowser);
afterEach(cleanup);

it("counts down Retry-After, and sends nothing until then", async () => {
  const busy = () => Object.assign(new Error("Slow down."), { retryAt: Date.now() + 3000 });
  const onSubmit = vi.fn(() => Promise.reject(busy()));
  await renderInApp(<Thing onSubmit={onSubmit} />);
  fireEvent.change(field(), { target: { value: "typed" } });
  fireEvent.submit(field());
  await waitFor(() => expect(save().getAttribute("aria-disabled")).toBe("true"));
  expect(screen.getByRole("alert").textContent).toContain("Try again in");
  fireEvent.submit(field());
  await waitFor(() => expect(save().getAttribute("aria-disabled")).toBeNull());
  expect(onSubmit).toHaveBeenCalledOnce();
  expect(field().value).toBe("typed");
  fireEvent.submit(field());
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2));
});

it("blocks saving while the service is unreachable, without saving later by itself", async () => {
  const onSubmit = failing({ outcome: "none" });
  await renderInApp(<Thing onSubmit={onSubmit} />);
  fireEvent.submit(field());
  await screen.findByRole("alert");
  fireEvent.click(screen.getByText("Cut"));
  expect(save().getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByRole("button", { name: "Try now" })).toBeDefined();
  fireEvent.submit(field());
  fireEvent.click(screen.getByText("Cut"));
  expect(save().getAttribute("aria-disabled")).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(onSubmit).toHaveBeenCalledOnce();
});

it("offers the values that another user saved meanwhile", async () => {
  const current = { name: "theirs" };
  const onReload = vi.fn();
  await renderInApp(<Thing onSubmit={failing({ outcome: "changed", current })} onReload={onReload} />);
  fireEvent.submit(field());
  fireEvent.click(await screen.findByRole("button", { name: "Load the current values" }));
  expect(onReload).toHaveBeenCalledExactlyOnceWith(current);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says calmly that there is nothing to save", async () => {
  await renderInApp(<Thing onSubmit={() => Promise.reject(new NothingToSave())} />);
  fireEvent.submit(field());
  expect(await screen.findByText("Nothing to save. No field has changed.")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("shows no error for an incomplete form, or for what can be corrected in place", async () => {
  const help = <button type="button">Accept</button>;
  await renderInApp(<Thing onSubmit={failing({ help })} />);
  fireEvent.change(field(), { target: { value: "typed" } });
  fireEvent.submit(field());
  expect((await screen.findByRole("alert")).textContent).toMatch(/^Warning: No\./);
});
