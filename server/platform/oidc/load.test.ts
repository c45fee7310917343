import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import { expect, test } from "vitest";

// In a separate process: in this one the package may have been loaded long before.
test("loading the provider says nothing to the terminal, and hears everything else", async () => {
  const path = fileURLToPath(new URL("./load.ts", import.meta.url));
  const { code } = await transformWithOxc(readFileSync(path, "utf8"), path);
  const run = (script: string) =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
    });
  const { status, stdout, stderr } = run(
    `${code}; const { Provider } = await loadPackage(); console.log(typeof Provider); console.warn("heard");`,
  );
  expect([status, stdout, stderr]).toEqual([0, "function\n", "heard\n"]);
  expect(run('await import("oidc-provider")').stderr).toMatch(
    process.versions.node.startsWith("20.") ? "oidc-provider WARNING: Unsupported runtime" : "",
  );
});
