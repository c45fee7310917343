import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { renderInApp, stubBrowser } from "~/ui/testing/render";

import { TextProblem } from "~/frame/untrusted-text/outcome";

import { CompareFiles } from "./compare-files";
import { snapshotBytes } from "platform-client/snapshots/file";
import { perKind, readSnapshot, SnapshotProblem, type Snapshot } from "platform-client/snapshots/format";

// The crypto of Node does not take the buffers of jsdom; equal texts are enough here.
vi.mock("~/frame/export/sha256", () => ({ sha256: (file: Blob) => file.text() }));
// jsdom has no workers; e2e/audit/snapshots.spec.ts reads files in one.
vi.mock("~/frame/untrusted-text/read-in-worker", () => ({
  readInWorker: async ({ request }: { readonly request: string }) => {
    try {
      return readSnapshot(request);
    } catch (error) {
      throw error instanceof SnapshotProblem ? new TextProblem(error.message) : error;
    }
  },
}));

beforeEach(stubBrowser);
afterEach(cleanup);

const ROOT = "a".repeat(40);
const snapshot: Snapshot = {
  scope: { uid: ROOT, name: "acme" },
  time: "2026-11-23T04:00:00.000Z",
  service: "https://api.example",
  records: { ...perKind(() => []), groups: [{ uid: ROOT, name: "acme" }] },
  missing: {},
};
const choose = async (label: string, change: Partial<Snapshot>) => {
  const { file } = await snapshotBytes({ ...snapshot, ...change }, new AbortController().signal);
  await userEvent.upload(screen.getByLabelText(label), new File([await file.text()], `${label}.json`));
};
const LATER = { time: "2026-11-24T04:00:00.000Z" };

test("says that nothing changed, byte by byte, and with a wrong file keeps the other choice", async () => {
  await renderInApp(<CompareFiles />);
  await choose("Earlier snapshot", {});
  await choose("Later snapshot", LATER);
  await screen.findByText("The files are identical byte for byte, except for the time.");
  await userEvent.upload(screen.getByLabelText("Later snapshot"), new File(["{}"], "other.json"));
  const problem = await screen.findByText("This file isn't a snapshot.");
  expect(screen.getByLabelText("Later snapshot").getAttribute("aria-describedby")).toBe(
    problem.closest("[role=alert]")?.id,
  );
  expect(screen.getByText("Earlier snapshot.json")).toBeTruthy();
  expect(screen.queryByText("Later snapshot.json")).toBeNull();
  expect(screen.queryByText(/byte by byte/)).toBeNull();
});

test("says that files which differ only in update times aren't identical", async () => {
  await renderInApp(<CompareFiles />);
  await choose("Earlier snapshot", {});
  const moved = [{ uid: ROOT, name: "acme", updateTime: LATER.time }];
  await choose("Later snapshot", { ...LATER, records: { ...snapshot.records, groups: moved } });
  await screen.findByText("No changes; 1 record is the same.");
  expect(screen.getByText(/^The files aren't identical/)).toBeTruthy();
});

test("names other platforms and other groups plainly, whatever their names contain", async () => {
  await renderInApp(<CompareFiles />);
  await choose("Earlier snapshot", {});
  await choose("Later snapshot", { ...LATER, service: "https://api.example/\u{202e}" });
  await screen.findByText("These snapshots are from different services");
  await screen.findByText("No changes; 1 record is the same.");
  await choose("Later snapshot", { ...LATER, scope: { uid: "b".repeat(40), name: "prod\u{2066}live" } });
  await screen.findByText("Not compared: these snapshots are of different groups");
  expect(screen.getAllByText("prod\\u{2066}live")).toHaveLength(2);
  expect(screen.queryByText(/No changes/)).toBeNull();
});

test("swaps two files that were chosen the wrong way round", async () => {
  await renderInApp(<CompareFiles />);
  await choose("Earlier snapshot", LATER);
  await choose("Later snapshot", {});
  await userEvent.click(await screen.findByRole("button", { name: "Swap the files" }));
  await screen.findByText("No changes; 1 record is the same.");
  const [earlier] = screen.getAllByText(/\.json$/);
  expect(earlier?.textContent).toBe("Later snapshot.json");
});
