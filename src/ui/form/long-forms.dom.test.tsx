import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod/mini";

import { textMap } from "platform-contract/schema";

import { renderInApp, stubBrowser } from "../testing/render";
import { SelectField, TextField } from "./fields";
import { Disclosure } from "./disclosure";
import { FormDrawer } from "./form-drawer";
import { KeyValueField } from "./key-value-field";
import { LinesField } from "./lines-field";
import { RowsField } from "./rows-field";
import { useResourceForm } from "./use-resource-form";

const name = z.string().check(z.minLength(1, "required"));
const schema = z.object({
  tier: z.string(),
  packages: z.array(z.string().check(z.maxLength(4, "is too long"))),
  users: z.array(z.object({ name, groups: z.array(z.string()) })),
});

function Long({ onSubmit }: { onSubmit: (body: unknown) => Promise<string> }) {
  const form = useResourceForm({
    schema,
    defaultValues: { tier: "base", packages: ["curl"], users: [{ name: "web", groups: ["a", "b"] }] },
  });
  return (
    <FormDrawer
      title="Edit thing"
      opened
      onClose={() => undefined}
      form={form}
      onSubmit={onSubmit}
      onSaved={() => undefined}
      submitLabel="Save changes"
    >
      <SelectField
        name="tier"
        label="Tier"
        hint="Any."
        disabled="It has this from elsewhere."
        options={[{ value: "base", label: "Base" }]}
      />
      <Disclosure title="Packages" note="1 set">
        <LinesField name="packages" label="Packages" />
      </Disclosure>
      <RowsField name="users" label="Users" one="user" blank={{ name: "", groups: [] }}>
        {(at) => (
          <>
            <TextField name={`${at}.name`} label="Name" required />
            <LinesField name={`${at}.groups`} label="Groups" />
          </>
        )}
      </RowsField>
    </FormDrawer>
  );
}

const save = () => fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
const lines = (label: string) => screen.getByLabelText<HTMLTextAreaElement>(label);
const fill = (element: Element, value: string) => fireEvent.change(element, { target: { value } });

beforeAll(stubBrowser);
afterEach(cleanup);

it("sends lists by their lines, records by their rows, and what is locked as it was", async () => {
  const onSubmit = vi.fn(async () => "saved");
  await renderInApp(<Long onSubmit={onSubmit} />);
  expect(screen.getByText("It has this from elsewhere.")).toBeDefined();
  expect(screen.queryByText("Any.")).toBeNull();
  // An incomplete line stays as typed.
  fill(lines("Packages"), "curl\n\n jq ");
  expect(lines("Packages").value).toBe("curl\n\n jq ");
  fireEvent.click(screen.getByRole("button", { name: "Add user" }));
  const [, second] = screen.getAllByLabelText(/^Name/);
  fill(second as Element, "root");
  fireEvent.click(screen.getByRole("button", { name: "Remove user 1" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add user" }));
  // The remaining row shows its own value.
  expect(lines("Groups").value).toBe("");
  save();
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  expect(onSubmit).toHaveBeenCalledWith({
    tier: "base",
    packages: ["curl", "jq"],
    users: [{ name: "root", groups: [] }],
  });
});

it("unfolds what holds an error, and names the entry that is meant", async () => {
  const onSubmit = vi.fn(async () => "saved");
  await renderInApp(<Long onSubmit={onSubmit} />);
  const part = lines("Packages").closest("details");
  expect(part?.open).toBe(false);
  fill(lines("Packages"), "curl\nwget-too-long");
  save();
  expect(await screen.findByText("Entry 2: is too long")).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(lines("Packages")));
  expect(part?.open).toBe(true);
  expect(onSubmit).not.toHaveBeenCalled();
});

interface RefusedProps {
  readonly violations: readonly { readonly field: string; readonly description: string }[];
}

function Refused({ violations }: RefusedProps) {
  const form = useResourceForm({
    schema: z.looseObject({}),
    defaultValues: { tier: "", sync: { source: "" }, packages: [], runAs: "" },
  });
  return (
    <FormDrawer
      title="Edit thing"
      opened
      onClose={() => undefined}
      form={form}
      onSubmit={() => Promise.reject(Object.assign(new Error("Not like this."), { violations }))}
      onSaved={() => undefined}
      submitLabel="Save changes"
    >
      <SelectField name="tier" label="Tier" disabled="From its source." options={[]} />
      <Disclosure title="Source">
        <TextField name="sync.source" label="Source" />
      </Disclosure>
      <Disclosure title="Packages">
        <LinesField name="packages" label="Packages" />
      </Disclosure>
      <Disclosure title="Accounts">
        <TextField name="runAs" label="Run as" />
      </Disclosure>
    </FormDrawer>
  );
}

const isOpen = (label: string) => screen.getByLabelText(label).closest("details")?.open;

it("unfolds every part in which the service refused something, and focuses the first field that can be changed", async () => {
  const bad = (field: string) => ({ field, description: `${field} is bad` });
  await renderInApp(<Refused violations={[bad("runAs"), bad("packages[0]"), bad("tier")]} />);
  save();
  await screen.findByText("runAs is bad");
  await waitFor(() => expect(document.activeElement).toBe(lines("Packages")));
  expect([isOpen("Source"), isOpen("Packages"), isOpen("Run as")]).toEqual([false, true, true]);
});

it("focuses the alert if no field shows an error", async () => {
  await renderInApp(<Refused violations={[{ field: "elsewhere", description: "is bad" }]} />);
  save();
  const alert = await screen.findByRole("alert");
  await waitFor(() => expect(document.activeElement).toBe(alert));
});

it("has a default text for a violation without a description", async () => {
  await renderInApp(<Refused violations={[{ field: "sync.source", description: "" }]} />);
  save();
  await screen.findByText("The service rejected this value without giving a reason.");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Source")));
});

const odd = z.object({ bundles: z.array(z.string()), claims: textMap() });
function Odd({ onSubmit }: { onSubmit: (body: unknown) => Promise<string> }) {
  const form = useResourceForm({
    schema: odd,
    defaultValues: { bundles: ["base ", ""], claims: { "": "x" } },
  });
  return (
    <FormDrawer
      title="Edit thing"
      opened
      onClose={() => undefined}
      form={form}
      onSubmit={onSubmit}
      onSaved={() => undefined}
      submitLabel="Save changes"
    >
      <LinesField name="bundles" label="Bundles" />
      <KeyValueField name="claims" label="Claims" />
    </FormDrawer>
  );
}

it("opens a record that others wrote otherwise than it would, and says what a value lacks", async () => {
  const onSubmit = vi.fn(async () => "saved");
  await renderInApp(<Odd onSubmit={onSubmit} />);
  expect(lines("Bundles").value).toBe("base \n");
  save();
  expect(await screen.findByText("Must not have an empty key")).toBeDefined();
  expect(onSubmit).not.toHaveBeenCalled();
  fill(screen.getByLabelText("Key 1"), "team");
  save();
  await waitFor(() =>
    expect(onSubmit).toHaveBeenCalledWith({ bundles: ["base ", ""], claims: { team: "x" } }),
  );
});
