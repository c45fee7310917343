import { expect, it } from "vitest";

import { clockText, latencyOf, registry, reportOf, sessionFacts } from "./facts";
import { AREAS, type Measured } from "./measure";

const area = AREAS[0]!;

it("describes the result of an area", () => {
  const after = (measured: Partial<Measured>) => latencyOf(area, { ...area, times: [], ...measured });
  expect(latencyOf(area, undefined)).toMatchObject({ median: undefined, result: "Measuring…", wrong: false });
  expect(after({ times: [3, 1.25, 20, 2, 4] })).toMatchObject({
    request: "GET /ping/v2/ping",
    median: "3.0 ms",
    worst: "20 ms",
    result: "5 of 5 answered",
  });
  expect(after({ times: [7], problem: { kind: "refused", message: "No." } })).toMatchObject({
    worst: "7.0 ms",
    result: "Refused: No.",
    wrong: true,
  });
});

it("compares clocks to the second", () => {
  expect(clockText(undefined)).toContain("Unknown");
  expect(clockText(-900)).toBe("Same time, within 2 seconds");
  expect(clockText(61_200)).toBe("The service is 61 seconds ahead");
  expect(clockText(-5000)).toBe("The service is 5 seconds behind");
});

it("marks in the report what is wrong, and says what is not set", () => {
  const session = sessionFacts(
    { state: "active", renewal: "none" },
    { issuer: "https://issuer.example", expiresAt: Infinity },
    undefined,
  );
  const report = reportOf(
    "Console",
    new Date(0),
    [latencyOf(area, undefined)],
    [session, { title: "Configuration", facts: [{ term: "registryHost", value: "" }] }],
  );
  expect(report).toBe(`Console status, 1970-01-01 00:00:00 UTC

Latency
  ping (GET /ping/v2/ping): Measuring…

Session
  Issuer: https://issuer.example
  State: Active
  Token expires: Unknown
! Renewal: Not possible: sign in again when it expires
  Clock: Unknown: the service's Date header can't be read

Configuration
  registryHost: not set`);
});

it("says what an operator sets to connect a registry, and to have its pulls counted", () => {
  const facts = (registryAudience: string | undefined, registryUsage: boolean) =>
    registry({ registryAudience, registryHost: "registry.example", registryUsage }).facts.map(
      ({ value }) => value,
    );
  expect(facts(undefined, false).join()).toMatch(/REGISTRY_URL.*REGISTRY_EVENTS_SECRET.*docs\/registry\.md/);
  expect(facts("https://console.example/registry", false)).toEqual([
    "Connected: registry.example",
    expect.stringContaining("REGISTRY_EVENTS_SECRET"),
    expect.stringContaining("docs/registry.md"),
  ]);
  expect(facts("https://console.example/registry", true)).toEqual(["Connected: registry.example", "Counted"]);
});
