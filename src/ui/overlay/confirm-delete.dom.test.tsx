import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { ConfirmDelete, type ConfirmDeleteProps } from "./confirm-delete";
import { renderInApp, stubBrowser } from "../testing/render";

async function open(change: Partial<ConfirmDeleteProps> = {}) {
  const props: ConfirmDeleteProps = {
    opened: true,
    onClose: vi.fn(),
    kind: "group",
    name: "runtime",
    consequence: "It is gone for good.",
    onDelete: vi.fn(async () => undefined),
    onDeleted: vi.fn(),
    ...change,
  };
  let become: (next: Partial<ConfirmDeleteProps>) => void = () => undefined;
  function Changing() {
    const [changed, setChanged] = useState<Partial<ConfirmDeleteProps>>({});
    become = setChanged;
    return <ConfirmDelete {...props} {...changed} />;
  }
  await renderInApp(<Changing />);
  const button = await screen.findByRole("button", { name: "Delete group" });
  return { props, button, become: (next: Partial<ConfirmDeleteProps>) => act(() => become(next)) };
}

beforeAll(stubBrowser);
afterEach(cleanup);

describe("ConfirmDelete", () => {
  it("names what it deletes and starts on Cancel", async () => {
    // With a field before it, so that Cancel is not just the first focusable element.
    await open({ typeName: true });
    expect(screen.getByRole("dialog", { name: "Delete group runtime?" })).toBeDefined();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
  });

  it("deletes once, and says when it is done", async () => {
    const { props, button } = await open();
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(props.onDeleted).toHaveBeenCalledOnce());
    expect(props.onDelete).toHaveBeenCalledOnce();
  });

  it("lets Enter press its button, as Space does", async () => {
    const { button } = await open();
    // A browser turns the key into a click only if the default was not prevented.
    for (const key of ["Enter", " "]) expect(fireEvent.keyDown(button, { key })).toBe(true);
  });

  it("asks for no name if the record is known to be undeletable, and says why", async () => {
    const { props, button, become } = await open({ typeName: true, blocked: "It is not empty" });
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "It is not empty",
    );
    fireEvent.click(button);
    expect(props.onDelete).not.toHaveBeenCalled();
    become({ blocked: undefined });
    expect(screen.getByRole("textbox")).toBeDefined();
  });

  it("asks to type the name if required", async () => {
    const { props, button } = await open({ typeName: true });
    fireEvent.click(button);
    expect(props.onDelete).not.toHaveBeenCalled();
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "runtime" } });
    fireEvent.click(button);
    await waitFor(() => expect(props.onDeleted).toHaveBeenCalledOnce());
  });

  it("neither asks nor deletes before it knows what to ask for", async () => {
    const { props, button, become } = await open({
      typeName: true,
      undecided: "Its bindings are being counted",
    });
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(button.getAttribute("aria-disabled")).toBe("true");
    fireEvent.click(button);
    expect(screen.queryByText("Type runtime to confirm.")).toBeNull();
    expect(screen.getByText("Its bindings are being counted")).toBeDefined();
    await become({ typeName: false, undecided: undefined });
    fireEvent.click(button);
    await waitFor(() => expect(props.onDeleted).toHaveBeenCalledOnce());
  });

  it("clears the message about missing input once it is entered or not required", async () => {
    const { button, become } = await open({ typeName: true });
    const complaint = () => screen.queryByText("Type runtime to confirm.");
    fireEvent.click(button);
    expect(complaint()).not.toBeNull();
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "runtime" } });
    expect(complaint()).toBeNull();
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "run" } });
    await become({ typeName: false });
    expect(complaint()).toBeNull();
  });

  it("stays open when it is refused, and explains", async () => {
    const onDelete = () =>
      Promise.reject(Object.assign(new Error("Precondition failed."), { requestId: "req-1" }));
    const { props, button } = await open({ onDelete });
    fireEvent.click(button);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Precondition failed.");
    expect(alert.textContent).toContain("req-1");
    expect(props.onDeleted).not.toHaveBeenCalled();
    expect(props.onClose).not.toHaveBeenCalled();
  });

  it("lists blocking records with counts and links", async () => {
    await open({
      refusal: {
        message: "runtime still holds records.",
        blockers: [{ label: "identities", count: 1200n, link: { to: "/x" } }],
      },
    });
    expect(screen.getByRole("link", { name: "1,200 identities" })).toBeDefined();
  });
});
