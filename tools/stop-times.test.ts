import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { GRACE_MS, STOP_MS, SUPERVISOR_S } from "../server/stop-times";

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

test("whoever supervises the service waits longer than it needs to stop", () => {
  expect(GRACE_MS).toBeLessThan(STOP_MS);
  for (const [file, pattern] of [
    ["deploy/systemd/platform-console.service", /^TimeoutStopSec=(\d+)$/m],
    ["compose.yaml", /^ {2}platform:[^]*?stop_grace_period: (\d+)s/m],
    ["deploy/chart/values.yaml", /^terminationGracePeriodSeconds: (\d+)$/m],
    ["Dockerfile", /docker stop --time (\d+)/],
    ["docs/operate/install.md", /docker stop --time (\d+)/],
  ] as const)
    expect([file, Number(pattern.exec(read(file))?.[1])]).toEqual([file, SUPERVISOR_S]);
  const manifests = read("deploy/kubernetes/platform-console.yaml");
  const delay = Number(/SHUTDOWN_DELAY\n\s+value: "(\d+)"/.exec(manifests)?.[1]);
  expect(manifests).toContain(`terminationGracePeriodSeconds: ${SUPERVISOR_S + delay}\n`);
  const seconds = STOP_MS / 1_000;
  for (const file of [
    "deploy/systemd/platform-console.service",
    "deploy/chart/values.yaml",
    "docs/operate/data.md",
  ])
    expect(read(file)).toContain(`within ${seconds} seconds`);
});
