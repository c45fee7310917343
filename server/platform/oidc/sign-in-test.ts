import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Config } from "../../config";
import { now } from "../store/clock";
import type { Queries } from "../store/database";
import { mappedGroups } from "../../domains/federation/external-group-role-mappings.table";
import type { Provider } from "../../domains/federation/identity-providers.table";
import { sendPage } from "./answers";
import type { PageContext } from "./page-context";
import { Refusal } from "./requests";
import { failedTestPage, passedTestPage } from "./sign-in-test-pages";
import { signedIn } from "./signed-in";
import { accountFor } from "./upstream-accounts";
import { depart, departureTo, personAt, requireGet, type Return } from "./upstream-journey";

/** Milliseconds for which the draft of a test is kept. */
export const TEST_LIFE_MS = 10 * 60_000;
const KIND = "SignInTest";

/** Settings to try, of a provider that may not exist; its secret is sealed for its uid, as a stored one. */
export interface TestDraft {
  readonly provider: Provider;
  /** The account of whoever started it. Nobody else sees anything of it. */
  readonly subject: string;
  /** They may know which groups are mapped. */
  readonly seesMappings: boolean;
}

const TOKEN_BYTES = 32;

/** Keeps a draft until its test. It ends with the sessions of its account. */
export async function keepDraft(
  queries: Queries,
  { issuer }: Pick<Config, "issuer">,
  draft: TestDraft,
): Promise<{ readonly startUri: string; readonly expires: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const expires = new Date(now().getTime() + TEST_LIFE_MS);
  await queries.query(
    "insert into provider_records (kind, id, payload, account, expires_at) values ($1, $2, $3, $4, $5)",
    [KIND, token, JSON.stringify(draft), draft.subject, expires],
  );
  return { startUri: `${issuer}/test/${token}`, expires };
}

const readDraft = (text: string): TestDraft => {
  const draft: TestDraft = JSON.parse(text);
  return { ...draft, provider: { ...draft.provider, changed: new Date(draft.provider.changed) } };
};

const gone = (): Refusal =>
  new Refusal(
    404,
    "This test can't be opened",
    "It was opened before, was started more than ten minutes ago, or belongs to somebody else. Start it again from the form.",
  );

/** Throws a Refusal unless whoever started the test is signed in in this browser. */
async function requireOwn(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  subject: string | undefined,
): Promise<void> {
  const { account } = await signedIn(context, request, response, "test a sign-in");
  if (account.subject !== subject) throw gone();
}

/** GET <issuer>/test/<token>: redirects to the provider of a draft, once. */
export async function beginTest(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
): Promise<void> {
  requireGet(request);
  const find = ["kind = $1 and id = $2 and expires_at > $3", [KIND, token, now()]] as const;
  const [kept] = await context.database.query<{ account: string }>(
    `select account from provider_records where ${find[0]}`,
    find[1],
  );
  // Before it is taken: others must not use it up.
  await requireOwn(context, request, response, kept?.account);
  const [taken] = await context.database.query<{ payload: string; until: Date }>(
    `delete from provider_records where ${find[0]} returning payload, expires_at as until`,
    find[1],
  );
  if (!taken) throw gone();
  const { payload: test, until } = taken;
  const { provider, subject } = readDraft(test);
  const departure = await departureTo(context, provider).catch((error: unknown) => failureOf(error));
  if ("error" in departure) return showFailure(context, request, response, provider, departure.error);
  await depart(context, request, response, departure, {
    provider,
    purpose: { test },
    account: subject,
    until,
  });
}

/** The return from the provider of a draft: shows what a sign-in would have done, and does none of it. */
export async function endTest(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  returned: Return,
  test: string,
): Promise<void> {
  const { provider, subject, seesMappings } = readDraft(test);
  await requireOwn(context, request, response, subject);
  const person = await personAt(context, provider, returned).catch((error: unknown) => failureOf(error));
  if ("error" in person) return showFailure(context, request, response, provider, person.error);
  // Nobody comes with these settings again.
  context.upstream.forget(provider);
  const { database } = context;
  const page = await passedTestPage(context.site, {
    provider,
    person,
    account: await accountFor(database, provider, person),
    mapped: seesMappings ? await mappedGroups(database, provider.uid, person.groups) : undefined,
  });
  sendPage(request, response, page);
}

const failureOf = (error: unknown): { readonly error: unknown } => ({ error });

async function showFailure(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  provider: Provider,
  error: unknown,
): Promise<void> {
  context.upstream.forget(provider);
  sendPage(request, response, await failedTestPage(context.site, provider, error));
}
