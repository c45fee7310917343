import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const rules = fileURLToPath(new URL("../deploy/prometheus/alerts.yaml", import.meta.url));
const check = () => spawnSync("promtool", ["check", "rules", rules], { encoding: "utf8" });

// Debian: in the package prometheus.
test.skipIf(check().error)("Prometheus understands the alert rules", () => {
  const { status, stderr, stdout } = check();
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/SUCCESS: [1-9]\d* rules found/);
});
