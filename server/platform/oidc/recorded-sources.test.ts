import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

test("only the transaction of an entry changes accounts and factors", async () => {
  const server = path.resolve(import.meta.dirname, "../..");
  const files = (await readdir(server, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !/\.(test|long|attack)\.ts$|migrations|node_modules/.test(name),
  );
  const texts = await Promise.all(files.map((name) => readFile(path.join(server, name), "utf8")));
  const having = (pattern: RegExp) => files.filter((_, place) => pattern.test(texts[place] ?? "")).toSorted();
  expect(having(/\bas Recorded\b/)).toEqual(["platform/oidc/sign-in-log.ts"]);
  const tables = "accounts|pending_accounts|authenticator_apps|passkeys|recovery_codes";
  expect(having(new RegExp(`\\b(insert into|update|delete from)\\s+(${tables})\\b`, "i"))).toEqual(
    [
      "platform/oidc/accounts.ts",
      // Which step of an app and which count of a passkey were used last: nobody's act.
      "platform/oidc/factors/apps.ts",
      "platform/oidc/factors/changes.ts",
      "platform/oidc/factors/passkeys.ts",
      "platform/oidc/factors/recovery-codes.ts",
      "platform/oidc/factors/factors.table.ts",
      "platform/oidc/confirmed-address.ts",
      // Also what an invite's redemption confirms, which is an operation, and what has expired.
      "domains/federation/pending-accounts.table.ts",
    ].toSorted(),
  );
});
