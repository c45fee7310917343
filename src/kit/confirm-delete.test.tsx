// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { ConfirmDelete, type ConfirmDeleteProps } from "./confirm-delete";
import { renderInApp, stubBrowser } from "./testing/render";

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
  await renderInApp(<ConfirmDelete {...props} />);
  const button = await screen.findByRole("button", { name: "Delete group" });
  return { props, button };
}

beforeAll(stubBrowser);
afterEach(cleanup);

describe("ConfirmDelete", () => {
  it("names what it deletes and starts on Cancel", async () => {
    // With a field before it, so that Cancel is not merely the first thing to focus.
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

  it("does not delete by Enter, and says how", async () => {
    const { props, button } = await open();
    const allowed = fireEvent.keyDown(button, { key: "Enter" });
    // A browser makes a click of the key only where that was not prevented.
    expect(allowed).toBe(false);
    expect(screen.getByText("Press Space to delete.")).toBeDefined();
    expect(props.onDelete).not.toHaveBeenCalled();
  });

  it("asks for the name where that is asked for", async () => {
    const { props, button } = await open({ typeName: true });
    fireEvent.click(button);
    expect(props.onDelete).not.toHaveBeenCalled();
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "runtime" } });
    fireEvent.click(button);
    await waitFor(() => expect(props.onDeleted).toHaveBeenCalledOnce());
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

  it("lists what is in the way, with counts and links", async () => {
    await open({
      refusal: {
        message: "runtime still holds records.",
        blockers: [{ label: "identities", count: 1200n, link: { to: "/x" } }],
      },
    });
    expect(screen.getByRole("link", { name: "1,200 identities" })).toBeDefined();
  });
});
