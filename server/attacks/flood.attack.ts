import { expect, test } from "vitest";

import { DEMO_PASSWORD } from "../demo";
import { openSignIn, signIn } from "../platform/oidc/testing";
import { ownPostgres } from "../testing/postgres";
import { Target } from "./target";

/** How many times as long a neighbor's small list may take. */
const TIMES = 3;
const SECONDS = 20;

/** Runs `act` on this many connections, again and again, until the time is over. */
async function flood(connections: number, act: (connection: number) => Promise<unknown>): Promise<void> {
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      while (performance.now() < end) await act(index);
    }),
  );
}

/** Statuses, and how many of the refusals among them say when to come again. */
class Answers {
  readonly statuses: Record<number, number> = {};
  told = 0;

  note(status: number, headers: Headers): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status >= 400 && Number(headers.get("retry-after")) > 0) this.told += 1;
  }

  get refused(): number {
    return (this.statuses[429] ?? 0) + (this.statuses[503] ?? 0);
  }
}

const databases = [
  { database: "the embedded database", start: async () => ({ variables: {}, stop: async () => undefined }) },
  {
    database: "PostgreSQL",
    start: async () => {
      const { url, stop } = await ownPostgres();
      return { variables: { DATABASE_URL: url }, stop };
    },
  },
];

/** Runs an attack on a service over one of the databases, and expects that a neighbor hardly notices it. */
async function attack(
  what: string,
  start: (typeof databases)[number]["start"],
  act: (target: Target) => Promise<(answers: Answers) => Promise<void>>,
): Promise<Answers> {
  const { variables, stop } = await start();
  const target = await Target.start({ TRUST_PROXY: "1", ...variables });
  const answers = new Answers();
  try {
    const prepared = await act(target);
    const { times } = await target.measure(what, () => prepared(answers));
    console.log(what, answers.statuses);
    expect(times).toBeLessThanOrEqual(TIMES);
  } finally {
    await target.stop();
    await stop();
  }
  expect(answers.told).toBe(answers.refused);
  return answers;
}

test.each(databases)(
  "a flood of wrong passwords hardly slows a neighbor's list on $database",
  async ({ start }) => {
    const { refused } = await attack(
      "40 connections that guess passwords",
      start,
      async ({ service: { url } }) => {
        return (answers) =>
          flood(40, async (connection) => {
            const { browser, page } = await openSignIn(url);
            if (page.status !== 200) return answers.note(page.status, page.headers);
            const form = { email: `guess-${Math.random()}@example.com`, password: "a wrong guess" };
            const from = { "x-forwarded-for": `10.1.0.${connection % 4}` };
            const { status, headers } = await browser.submit(page.url, form, from);
            answers.note(status, headers);
          });
      },
    );
    expect(refused).toBeGreaterThan(0);
  },
);

test.each(databases)(
  "200 connections of one person hardly slow a neighbor's list on $database",
  async ({ start }) => {
    const { refused, statuses } = await attack(
      "200 connections with lists",
      start,
      async ({ service: { url } }) => {
        const { accessToken } = await signIn(url, { email: "owner@demo.example", password: DEMO_PASSWORD });
        return (answers) =>
          flood(200, async () => {
            const { status, headers } = await fetch(`${url}/iam/v2/roleBindings?page_size=200`, {
              headers: { authorization: `Bearer ${accessToken}` },
            });
            answers.note(status, headers);
          });
      },
    );
    expect(statuses[200]).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  },
);
