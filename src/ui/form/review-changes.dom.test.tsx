import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod/mini";

import { renderInApp, stubBrowser } from "../testing/render";
import { SelectField, TextField } from "./fields";
import { FormDrawer } from "./form-drawer";
import { LinesField } from "./lines-field";
import { useResourceForm } from "./use-resource-form";

const values = {
  name: "nginx",
  tier: "BASE",
  bundles: ["premium plus", "fips", "base"],
  secret: "",
  elsewhere: "kept",
};
type Values = typeof values;
const tiers = [
  { value: "BASE", label: "Base images" },
  { value: "APPS", label: "Applications" },
];
const schema = z.custom<Values>();

function Thing({ onSubmit }: { onSubmit: (body: Values) => Promise<Values> }) {
  const form = useResourceForm({ schema, defaultValues: values, secret: ["secret"] });
  return (
    <FormDrawer
      title="Edit thing"
      opened
      onClose={() => undefined}
      form={form}
      onSubmit={onSubmit}
      onSaved={() => undefined}
      onReload={(current) => form.reset(current)}
      valuesOf={(current) => current}
      submitLabel="Save changes"
    >
      <TextField name="name" label="Name" />
      <SelectField name="tier" label="Catalog tier" options={tiers} />
      <LinesField name="bundles" label="Bundles" />
      <TextField name="secret" label="Client secret" />
    </FormDrawer>
  );
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const rows = () =>
  screen
    .getAllByRole("row", { hidden: true })
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

beforeAll(stubBrowser);
afterEach(cleanup);

it("says field by field what saving will change, in the words of the form, and never a secret", async () => {
  await renderInApp(<Thing onSubmit={async (body) => body} />);
  expect(screen.getByRole("heading", { name: "What changes 0" })).toBeDefined();
  type("Name", "nginx-2");
  type("Catalog tier", "APPS");
  type("Bundles", "premium plus\nfips\ngold star\n");
  type("Client secret", "hunter2");
  await screen.findByRole("heading", { name: "What changes 4" });
  expect(rows()).toEqual([
    ["Name", "nginx", "nginx-2"],
    ["Catalog tier", "Base images", "Applications"],
    ["Bundles", "base", "gold star2 unchanged"],
    ["Client secret", "not shown", "not shown"],
  ]);
  type("Name", "nginx");
  expect(screen.getByRole("heading", { name: "What changes 3" })).toBeDefined();
});

it("compares another user's values with the input, and takes a choice for each field", async () => {
  const theirs = { ...values, name: "theirs", tier: "APPS" };
  const conflict = Object.assign(new Error("Somebody changed this."), {
    outcome: "changed",
    current: theirs,
  });
  const onSubmit = vi.fn<(body: Values) => Promise<Values>>(async (body) => body);
  onSubmit.mockRejectedValueOnce(conflict);
  await renderInApp(<Thing onSubmit={onSubmit} />);
  type("Name", "mine");
  type("Bundles", "fips");
  fireEvent.submit(field("Name"));
  fireEvent.click(await screen.findByRole("button", { name: "Compare" }));
  const group = await screen.findByRole("group", { name: "Their changes and yours" });
  const of = (label: string) => within(within(group).getByRole("group", { name: label }));
  expect(within(group).getAllByRole("group")).toHaveLength(3);
  expect(of("Name").getByRole<HTMLInputElement>("radio", { name: /^Yours/ }).checked).toBe(true);
  expect(of("Catalog tier").getByRole<HTMLInputElement>("radio", { name: /^Theirs/ }).checked).toBe(true);
  fireEvent.click(of("Name").getByRole("radio", { name: /^Theirs/ }));
  expect(field("Name").value).toBe("theirs");
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(within(group).getByRole("button", { name: "Hide comparison" }));
  await screen.findByRole("heading", { name: "What changes 1" });
  await screen.findByRole("table");
  expect(rows()).toEqual([["Bundles", "premium plusbase", "1 unchanged"]]);
  fireEvent.submit(field("Name"));
  await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2));
  expect(onSubmit.mock.lastCall?.[0]).toEqual({ ...theirs, bundles: ["fips"] });
});
