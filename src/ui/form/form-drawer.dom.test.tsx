import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { useWatch } from "react-hook-form";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";

import { renderInApp, stubBrowser } from "../testing/render";
import { TextField } from "./fields";
import { FormDrawer } from "./form-drawer";
import { useResourceForm } from "./use-resource-form";

const schema = z.object({
  name: z.string().check(z.minLength(1, "required")),
  claimMatch: z.object({ subject: z.string().check(z.maxLength(9, "Subject is too long")) }),
  hidden: z.optional(z.string().check(z.maxLength(3, "hidden is too long"))),
});
const defaultValues = { name: "", claimMatch: { subject: "" }, hidden: "" };

interface ThingProps {
  onSubmit: (body: unknown) => Promise<string>;
  onSaved?: (result: string) => void;
  onClose?: () => void;
  values?: typeof defaultValues;
  page?: boolean;
}

function Thing({
  onSubmit,
  onSaved = () => undefined,
  onClose = () => undefined,
  values = defaultValues,
  page = false,
}: ThingProps) {
  const form = useResourceForm({ schema, defaultValues: values });
  const name = useWatch({ control: form.control, name: "name" });
  return (
    <FormDrawer
      title="Create thing"
      opened
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      onSaved={onSaved}
      submitLabel="Create thing"
      page={page}
    >
      <TextField name="name" label="Name" required hint="Any." />
      {name === "alone" ? null : <TextField name="claimMatch.subject" label="Subject" />}
    </FormDrawer>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const submit = () => fireEvent.submit(field("Name"));

function refusal(violations: { field: string; description: string }[]) {
  return Object.assign(new Error("Invalid argument: see the fields"), { requestId: "req-9", violations });
}

beforeAll(stubBrowser);
afterEach(cleanup);

describe("FormDrawer", () => {
  it.each([
    ["a drawer", false],
    ["a page", true],
  ])("has the focus in its first field as soon as it can be seen: %s", async (_, page) => {
    const focused: (string | undefined)[] = [];
    function Screen() {
      // Runs before the paint.
      useLayoutEffect(() => void focused.push((document.activeElement as HTMLInputElement).name));
      return <Thing onSubmit={async () => "made"} page={page} />;
    }
    await renderInApp(<Screen />);
    expect(focused[0]).toBe("name");
  });

  it("sends what the schema read, and says when it is saved", async () => {
    const onSubmit = vi.fn(async () => "made");
    const onSaved = vi.fn();
    await renderInApp(<Thing onSubmit={onSubmit} onSaved={onSaved} />);
    type("Name", "ci");
    submit();
    await waitFor(() => expect(onSaved).toHaveBeenCalledExactlyOnceWith("made"));
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ name: "ci", claimMatch: { subject: "" }, hidden: "" });
  });

  it("shows what the schema refuses under its field, and focuses the first", async () => {
    const onSubmit = vi.fn(async () => "made");
    await renderInApp(<Thing onSubmit={onSubmit} />);
    type("Subject", "much too long");
    submit();
    await waitFor(() => expect(field("Name").getAttribute("aria-invalid")).toBe("true"));
    await waitFor(() => expect(document.activeElement).toBe(field("Name")));
    const described = field("Name").getAttribute("aria-describedby")?.split(" ") ?? [];
    const words = described.map((id) => document.getElementById(id)?.textContent);
    // The error replaces the hint.
    expect(words).toEqual(["Required"]);
    expect(screen.queryByText("Any.")).toBeNull();
    expect(screen.getByText("Subject is too long")).toBeDefined();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it("shows the error of a field that is not mounted in the alert", async () => {
    const onSubmit = vi.fn(async () => "made");
    await renderInApp(
      <Thing onSubmit={onSubmit} values={{ ...defaultValues, name: "ci", hidden: "12345" }} />,
    );
    submit();
    expect((await screen.findByRole("alert")).textContent).toContain("hidden is too long");
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it("puts the server's violations under their fields, whatever their style", async () => {
    const onSubmit = async () =>
      Promise.reject(refusal([{ field: "thing.claim_match.subject", description: "Is taken" }]));
    await renderInApp(<Thing onSubmit={onSubmit} />);
    type("Name", "ci");
    type("Subject", "abc");
    submit();
    await waitFor(() => expect(document.activeElement).toBe(field("Subject")));
    expect(screen.getByText("Is taken")).toBeDefined();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(field("Name").value).toBe("ci");
  });

  it("validates a field after a change or a save, not when it only loses the focus", async () => {
    await renderInApp(<Thing onSubmit={async () => "made"} />);
    fireEvent.focus(field("Name"));
    fireEvent.blur(field("Name"));
    fireEvent.focus(field("Subject"));
    fireEvent.change(field("Subject"), { target: { value: "much too long" } });
    fireEvent.blur(field("Subject"));
    await screen.findByText("Subject is too long");
    expect(field("Name").getAttribute("aria-invalid")).toBeNull();
    expect(screen.queryByText("Required")).toBeNull();
    type("Name", "c");
    type("Name", "");
    fireEvent.blur(field("Name"));
    await screen.findByText("Required");
  });

  it("saves by Control and Enter, from any field", async () => {
    const onSubmit = vi.fn(async () => "made");
    await renderInApp(<Thing onSubmit={onSubmit} />);
    type("Name", "ci");
    fireEvent.keyDown(field("Subject"), { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });

  it("keeps a server's error until its field changes", async () => {
    const onSubmit = () => Promise.reject(refusal([{ field: "name", description: "Is taken" }]));
    await renderInApp(<Thing onSubmit={onSubmit} />);
    type("Name", "ci");
    submit();
    await screen.findByText("Is taken");
    fireEvent.blur(field("Name"));
    type("Subject", "other");
    await waitFor(() => expect(field("Subject").value).toBe("other"));
    expect(screen.getByText("Is taken")).toBeDefined();
    type("Name", "cd");
    await waitFor(() => expect(screen.queryByText("Is taken")).toBeNull());
  });

  it("sends the same again after the server refused a field", async () => {
    const onSubmit = vi
      .fn<(body: unknown) => Promise<string>>()
      .mockRejectedValueOnce(refusal([{ field: "name", description: "Is taken" }]))
      .mockResolvedValue("made");
    const onSaved = vi.fn();
    await renderInApp(<Thing onSubmit={onSubmit} onSaved={onSaved} />);
    type("Name", "ci");
    submit();
    await screen.findByText("Is taken");
    submit();
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
    expect(onSubmit).toHaveBeenCalledTimes(2);
  });

  it("shows violations without a field in the alert, with the request id, and can submit again", async () => {
    const onSubmit = vi
      .fn<(body: unknown) => Promise<string>>()
      .mockRejectedValueOnce(refusal([{ field: "service_principal", description: "is not for you" }]))
      .mockResolvedValue("made");
    const onSaved = vi.fn();
    await renderInApp(<Thing onSubmit={onSubmit} onSaved={onSaved} />);
    type("Name", "ci");
    submit();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("service_principal: is not for you");
    expect(alert.textContent).toContain("req-9");
    submit();
    await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows the violation of an unmounted field in the alert", async () => {
    const onSubmit = () =>
      Promise.reject(refusal([{ field: "claim_match.subject", description: "Is taken" }]));
    await renderInApp(<Thing onSubmit={onSubmit} />);
    type("Subject", "abc");
    type("Name", "alone");
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Subject" })).toBeNull());
    submit();
    expect((await screen.findByRole("alert")).textContent).toContain("Is taken");
  });

  it("asks before discarding input, and only then", async () => {
    const onClose = vi.fn();
    await renderInApp(<Thing onSubmit={async () => "made"} onClose={onClose} />);
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(onClose).toHaveBeenCalledOnce();
    type("Name", "ci");
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    fireEvent.click(await screen.findByRole("button", { name: "Keep editing" }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(field("Name").value).toBe("ci");
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    fireEvent.click(await screen.findByRole("button", { name: "Discard changes" }));
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  it("blocks navigation while there is unsaved input, except after a save", async () => {
    let go: () => unknown = () => undefined;
    const { router } = await renderInApp(
      <Thing onSubmit={async () => "made"} onSaved={() => go()} />,
      "/things",
    );
    go = () => router.history.push("/things/1");
    type("Name", "ci");
    router.history.push("/elsewhere");
    await screen.findByText("Discard changes?");
    fireEvent.click(screen.getByRole("button", { name: "Keep editing" }));
    await waitFor(() => expect(screen.queryByText("Discard changes?")).toBeNull());
    expect(router.history.location.pathname).toBe("/things");
    submit();
    await waitFor(() => expect(router.history.location.pathname).toBe("/things/1"));
    expect(screen.queryByText("Discard changes?")).toBeNull();
  });
});
