import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";

import { freePort } from "../testing/app";
import { startBuilt, type BuiltService } from "../testing/built-service";
import { Api } from "./writers";

const SECRET = "secret-of-automation-in-tests";
/** Milliseconds after which a call is surely written: a minute, and the write itself. */
const SURELY_MS = 63_000;
const CALLS = 200;

let directory: string;
let service: BuiltService | undefined;
afterEach(async () => {
  await service?.end("SIGTERM");
  await rm(directory, { recursive: true, force: true });
});

test("kill -9 loses at most a minute of the use of capabilities, and SIGTERM none", async () => {
  directory = await mkdtemp(path.join(tmpdir(), "use-kills-"));
  const port = String(await freePort());
  const variables = {
    PORT: port,
    DATA_DIR: directory,
    SEED: "demo",
    AUTOMATION_CLIENT_SECRET: SECRET,
    LOG_LEVEL: "info",
  };
  const start = async (): Promise<Api> => {
    service = await startBuilt(variables);
    const api = new Api(service.url, SECRET);
    await api.signIn();
    return api;
  };
  const used = async (api: Api): Promise<number> => {
    const { json } = await api.call("GET", "../../access/v1/use?capability=CAP_IAM_ROLES_LIST");
    const rows: { callCount: string }[] = json.capabilityUse ?? [];
    return rows.reduce((sum, { callCount }) => sum + Number(callCount), 0);
  };
  const call = async (api: Api): Promise<void> => {
    for (let n = 0; n < CALLS; n += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect((await api.call("GET", "roles?page_size=1")).status).toBe(200);
  };
  let api = await start();
  await call(api);
  await sleep(SURELY_MS);
  await call(api);
  await service?.end("SIGKILL");
  api = await start();
  const kept = await used(api);
  // One row for each place that the list looks into: automation owns one organization.
  expect(kept).toBeGreaterThanOrEqual(CALLS);
  expect(kept).toBeLessThanOrEqual(2 * CALLS);
  await call(api);
  await service?.end("SIGTERM");
  api = await start();
  expect(await used(api)).toBe(kept + CALLS);
  console.log(`use: ${kept} of ${2 * CALLS} calls kept after SIGKILL, all ${CALLS} after SIGTERM`);
});
