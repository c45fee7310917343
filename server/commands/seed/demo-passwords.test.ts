import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createLog } from "../../log";
import { checkPassword, setPassword } from "../../platform/oidc/accounts";
import { openSignIn, signIn } from "../../platform/oidc/testing";
import { start, type Service } from "../../start";
import { placeFor } from "../../testing/database";
import { passwordsCost } from "../../testing/provider";

const PEOPLE = ["owner", "editor", "viewer", "folders", "auditor"].map((name) => `${name}@demo.example`);
const PUBLIC = { PUBLIC_URL: "https://platform.example" };

let directory: string;
let place: Awaited<ReturnType<typeof placeFor>>;
beforeAll(async () => {
  passwordsCost("little");
  directory = await mkdtemp(join(tmpdir(), "platform-demo-"));
  place = await placeFor(directory);
});
afterAll(async () => {
  await place.stop();
  await rm(directory, { recursive: true, force: true });
});

const started = (variables: Readonly<Record<string, string>> = {}) =>
  start(
    { PORT: "0", DATA_DIR: directory, SEED: "demo", ...place.variables, ...variables },
    { log: createLog("silent"), consoleDirectory: "/nonexistent/dist" },
  );

async function during<T>(service: Service, work: (service: Service) => Promise<T>): Promise<T> {
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

const whoGetsIn = async ({ database }: Service): Promise<string[]> => {
  const found = await Promise.all(PEOPLE.map((email) => checkPassword(database, email, "platform-demo")));
  return found.flatMap((account) => account?.email ?? []);
};

test("a data directory with the demo's passwords that goes public keeps none of them, nor their sessions", async () => {
  await during(await started(), async (service) => {
    expect(await whoGetsIn(service)).toEqual(PEOPLE);
    await service.database.query(
      `insert into provider_records (kind, id, payload, account, expires_at)
       select 'Session', subject, '{}', subject, now() + interval '1 hour' from accounts`,
    );
  });
  await during(await started(PUBLIC), async (service) => {
    expect(await whoGetsIn(service)).toEqual([]);
    expect(await service.database.query("select id from provider_records where account is not null")).toEqual(
      [],
    );
    // Reported once; otherwise nobody could sign in any more.
    expect(service.replaced.map(({ email }) => email).toSorted()).toEqual(PEOPLE.toSorted());
    for (const { email, password } of service.replaced)
      expect(await checkPassword(service.database, email, password)).toMatchObject({ email });
  });
  const again = await started(PUBLIC);
  await during(again, async ({ replaced }) => expect(replaced).toEqual([]));
});

/** The people listed on the sign-in page: the values of its forms, in order. */
async function listed({ config }: Service): Promise<string[]> {
  const { page } = await openSignIn(config.publicUrl);
  return [...page.body.matchAll(/<input type="hidden" name="email" value="([^"]+)"/g)].map(
    ([, email = ""]) => email,
  );
}

test("the sign-in page of the demo lists its people, as long as they have its password", async () => {
  const own = await mkdtemp(join(tmpdir(), "platform-demo-list-"));
  const { variables, stop } = await placeFor(own);
  try {
    await during(await started({ DATA_DIR: own, ...variables }), async (service) => {
      expect(await listed(service)).toEqual(PEOPLE);
      for (const email of PEOPLE)
        await signIn(service.config.publicUrl, { email, password: "platform-demo" });
      const { database } = service;
      const people = await database.query<{ name: string }>(
        "select name from identities where email_unverified like '%@demo.example' order by name",
      );
      const names = ["Aino Petrov", "Emil Sandoval", "Farid Okonkwo", "Olivia Brandt", "Vera Lindqvist"];
      expect(people.map(({ name }) => name)).toEqual(names);
      const trusted = service.config.trustedIssuers;
      const named = await database.query<{ issuer: string }>(
        `select distinct issuer from identities
         where relationship = 'claimMatch' and issuer <> '' and issuer <> $1`,
        [service.config.issuer],
      );
      expect(named.map(({ issuer }) => issuer).filter((issuer) => !trusted.includes(issuer))).toEqual([]);
      const [viewer] = await database.query<{ subject: string }>(
        "select subject from accounts where email = 'viewer@demo.example'",
      );
      const done = { act: "password.change", subject: viewer?.subject ?? "" } as const;
      await setPassword(service, done, "one of her own");
      expect(await listed(service)).toEqual(PEOPLE.filter((email) => !email.startsWith("viewer")));
    });
    await during(await started({ DATA_DIR: own, ...variables, SEED: "none" }), async (service) =>
      expect(await listed(service)).toEqual([]),
    );
  } finally {
    await stop();
    await rm(own, { recursive: true, force: true });
  }
  // Fills a database and starts the whole service three times.
});

test("the demo's password is no ADMIN_PASSWORD that the network can reach", async () => {
  await expect(started({ ...PUBLIC, ADMIN_PASSWORD: "platform-demo" })).rejects.toThrow(
    "ADMIN_PASSWORD: this password is published in the README",
  );
});
