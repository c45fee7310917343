import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

test("an installation without packages for development needs no tree of routes", () => {
  const root = mkdtempSync(join(tmpdir(), "routes-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "tools"));
  copyFileSync(join(import.meta.dirname, "routes.mjs"), join(root, "tools/routes.mjs"));
  const { status, stderr } = spawnSync(process.execPath, [join(root, "tools/routes.mjs")], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
