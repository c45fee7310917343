import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findChromium } from "../../tools/chromium";
import { startBuiltService } from "../service";

const program = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
/** Includes a repo of 120,000 tags and one of 50. */
const SIZE = "--groups 100000 --depth 10 --identities 100000 --bindings 200000 --repos 2 --tags 120050".split(
  " ",
);

/** Role bindings name people by issuer, which includes the port: it must be the port given to the seed. */
const PORT = "8098";

/** Starts the service over the large organization, which is seeded once and then kept; missing people are added. */
export default async function setUp(): Promise<() => Promise<void>> {
  process.env["CHROMIUM_PATH"] = findChromium();
  const directory = process.env["BENCH_DATA"] ?? join(tmpdir(), "platform-console-bench");
  const env = { ...process.env, DATA_DIR: directory, DATABASE_URL: "", PORT };
  const { status } = spawnSync(process.execPath, [program, "seed", ...SIZE], { stdio: "inherit", env });
  if (status !== 0) throw new Error(`The seed command ended with ${status}`);
  const service = await startBuiltService(directory, { PORT });
  process.env["BASE_URL"] = `${service.url}/`;
  return () => service.stop();
}
