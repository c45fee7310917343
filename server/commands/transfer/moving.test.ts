import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { decodeJwt } from "jose";
import { expect, inject, test } from "vitest";

import { openEmbedded } from "../../platform/store/embedded";
import { openPostgres } from "../../platform/store/postgres";
import { refresh, signIn, signUp } from "../../platform/oidc/testing";
import { fillDataDir, placeFor } from "../../testing/database";
import { databaseOn } from "../../testing/postgres";
import { startService } from "../../testing/service";
import { exportTo, importFrom } from "../../testing/transfer";

// Starts two whole services.
const TIMEOUT = 120_000;

test(
  "after a move people sign in as before, and what they hold is good: access tokens, page tokens",
  async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "moving-"));
    const file = path.join(directory, "export");
    const old = path.join(directory, "before");
    const place = await placeFor(old);
    const before = await startService({ DATA_DIR: old, ...place.variables });
    const { port } = new URL(before.url);
    const person = { email: "ada@demo.example", password: "correct horse battery" };
    const { accessToken: token, refreshToken } = await signUp(before.url, person);
    const list = "/iam/v2/groups?page_size=2&order_by=name";
    for (const name of ["alpha", "beta", "gamma"])
      await before.call("POST", "/iam/v2/groups", { token, body: { name } });
    const { json: first } = await before.call("GET", list, { token });
    const next = `${list}&page_token=${String(first["nextPageToken"])}`;
    await exportTo(before.database, file);
    await before.stop();
    await place.stop();

    // Moves to the other database, if this run has one.
    const postgres = inject("postgres");
    const target = postgres && (await databaseOn(postgres.url));
    if (!target) await fillDataDir(directory, "empty");
    const database = await (target ? openPostgres(target.url) : openEmbedded(directory));
    await importFrom(database, file);
    await database.close();
    const moved = target ? { DATABASE_URL: target.url } : { DATA_DIR: directory };
    const after = await startService({ PORT: port, ...moved });
    const { json: second } = await after.call("GET", next, { token });
    expect(second["groups"]).toMatchObject([{ name: "gamma" }]);
    const again = await signIn(after.url, person);
    expect(decodeJwt(again.accessToken).sub).toBe(decodeJwt(token).sub);
    expect((await refresh(after.url, refreshToken)).json).toMatchObject({ error: "invalid_grant" });
    await after.stop();
    await target?.stop();
    await rm(directory, { recursive: true });
  },
  TIMEOUT,
);
