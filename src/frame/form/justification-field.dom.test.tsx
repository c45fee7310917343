import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";

import { connect } from "~/api/client/client";
import { stubBrowser } from "~/ui/testing/render";

import { useJustification } from "./use-justification";

beforeAll(stubBrowser);
afterEach(cleanup);

const open = (changeJustifications: boolean, asked?: boolean) => {
  connect({
    baseUrl: "https://api.example",
    token: async () => "t",
    onUnauthenticated: () => undefined,
    changeJustifications,
  });
  let said: string | undefined;
  function Dialog() {
    const { justification, field } = useJustification(asked);
    said = justification;
    return field;
  }
  render(<Dialog />, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
  return { said: () => said };
};

const field = () => screen.getByRole("textbox", { name: "Reason (optional)" });
const type = (value: string) => fireEvent.change(field(), { target: { value } });

it("takes up to five hundred characters, and counts the last of them", async () => {
  const { said } = open(true);
  await screen.findByRole("textbox", { name: "Reason (optional)" });
  expect(said()).toBeUndefined();
  type("on call");
  expect(said()).toBe("on call");
  expect(screen.queryByText(/left/)).toBeNull();
  type("🚀".repeat(490));
  expect(screen.getByText(/10 characters left/)).toBeTruthy();
  type("🚀".repeat(600));
  expect([...(said() ?? "")]).toHaveLength(500);
  type("   ");
  expect(said()).toBeUndefined();
});

it("is not there where the service keeps no reasons, nor where access stays as it is", async () => {
  await import("./justification-words");
  open(false);
  open(true, false);
  expect(screen.queryByRole("textbox")).toBeNull();
});
