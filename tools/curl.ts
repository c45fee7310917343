import { spawnSync } from "node:child_process";

import { canInstall, install } from "./debian";

const starts = (): boolean => spawnSync("curl", ["--version"], { stdio: "ignore" }).status === 0;

/** A global setup: tests run the curl commands that the console shows as people would run them. */
export default function findCurl(): void {
  if (starts() || (canInstall() && install("curl") && starts())) return;
  process.stderr.write(
    "No curl found: install it; tests of the commands that the console shows will fail.\n",
  );
}
