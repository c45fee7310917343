import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { connect } from "~/api/client/client";
import { stubBrowser } from "~/ui/testing/render";
import { theme } from "~/ui/theme";

import { MailSettings } from "./mail-settings";

let settings: object;
let refusal: object | undefined;
let sent: unknown[];

beforeEach(() => {
  stubBrowser();
  settings = { email: "ada@example.com", sendsMail: true, mutedTopics: ["NOTICE_TOPIC_SYNCS"] };
  refusal = undefined;
  sent = [];
  vi.stubGlobal("fetch", async (_url: string, { method = "GET", body }: RequestInit) => {
    if (method === "GET") return Response.json(settings);
    sent.push(JSON.parse(String(body)));
    return refusal
      ? Response.json(refusal, { status: 400 })
      : Response.json({ ...settings, ...Object(sent.at(-1)) });
  });
  connect({ baseUrl: "https://api.example", token: async () => "t", onUnauthenticated: () => undefined });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = () =>
  render(
    <StrictMode>
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MailSettings accountPages="https://id.example/account" />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
const box = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });

it("says where mail goes, and sends all topics that are muted", async () => {
  show();
  expect((await box("Syncs of repos")).checked).toBe(false);
  expect(screen.getByText("ada@example.com")).toBeTruthy();
  fireEvent.click(await box("Invites"));
  fireEvent.change(screen.getByLabelText("No mail until"), { target: { value: "2030-02-03" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() =>
    expect(sent).toEqual([
      {
        mutedTopics: ["NOTICE_TOPIC_SYNCS", "NOTICE_TOPIC_INVITES"],
        pauseEndTime: "2030-02-03T00:00:00.000Z",
      },
    ]),
  );
});

it("shows what is wrong under its field, and keeps what was typed", async () => {
  const violation = { field: "pauseEndTime", description: "must be in the future" };
  refusal = {
    code: 3,
    message: "Invalid",
    details: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [violation] }],
  };
  show();
  fireEvent.click(await box("Invites"));
  const day = screen.getByLabelText<HTMLInputElement>("No mail until");
  fireEvent.change(day, { target: { value: "2020-02-03" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Must be in the future.")).toBeTruthy();
  expect([day.value, (await box("Invites")).checked]).toEqual(["2020-02-03", false]);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says that there is no confirmed address, or no mail at all", async () => {
  settings = { sendsMail: true };
  show();
  expect((await screen.findByRole("link", { name: "Confirm your address" })).getAttribute("href")).toBe(
    "https://id.example/account/email",
  );
  cleanup();
  settings = { email: "ada@example.com" };
  show();
  expect(await screen.findByText(/^This service sends no mail about what ends/)).toBeTruthy();
});
