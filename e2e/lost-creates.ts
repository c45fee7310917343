import { inviteWrites, mappingWrites } from "./access-writes";
import type { Effect } from "./fault";
import { expect, fault, type Faulty } from "./faulty";
import type { Proxied } from "./proxied";
import { tagSubjects } from "./tag-writes";
import {
  association,
  claimOf,
  folder,
  identity,
  openList,
  organization,
  pressAgain,
  provider,
  repo,
  role,
  subjectOf,
  terms,
  UNKNOWN,
  type Kind,
  type Write,
} from "./writes";

interface Loss {
  readonly what: string;
  readonly effect: (kill: () => void) => Effect;
  /** The browser reuses its connection, and sends the request again by itself. */
  readonly reused?: true;
}

/** Seven ways to lose the response to a create. */
export const LOSSES: readonly Loss[] = [
  { what: "a reset before the service had it", effect: () => fault.resetBefore },
  { what: "a cut before the headers of the response", effect: () => fault.cutAfter },
  { what: "a cut within the headers", effect: () => fault.cutInHeaders },
  { what: "a cut within the body", effect: () => fault.cutInBody },
  { what: "a kill -9 after the commit", effect: fault.cutAfterDoing },
  { what: "a proxy's 504", effect: () => fault.htmlAfter(504) },
  { what: "a cut of a reused connection", effect: () => fault.cutAfter, reused: true },
];

/** Opens the screen to create on; returns the create of one round. */
type Creates = (faulty: Faulty) => Promise<(round: number) => Write>;

const listed =
  (kind: Kind): Creates =>
  async (faulty) => {
    await openList(faulty, kind);
    return (round) => subjectOf(faulty, kind, `lost-${round}`).create();
  };

const first =
  (rounds: (faulty: Faulty) => Promise<(round: number) => readonly Write[]>): Creates =>
  async (faulty) => {
    const writes = await rounds(faulty);
    return (round) => writes(round)[0] as Write;
  };

const tags: Creates = async (faulty) => {
  const subject = await tagSubjects(faulty);
  return (round) => subject(`lost-${round}`).create();
};

/** A role for a machine, granted in the form of the list. */
const bindings: Creates = async ({ page, api, organization: own, open }) => {
  const root = "/iam/v2/roleBindings";
  // Before the screen reads them.
  const machines = await Promise.all(
    LOSSES.map((_, round) =>
      api.post<{ uid: string }>(`/iam/v2/identities/${own.uid}`, {
        name: `bound ${round}`,
        claimMatch: { issuer: "https://issuer.example", subject: `bound ${round}` },
      }),
    ),
  );
  await open(`role-bindings?group=${own.uid}`);
  return (round) => {
    const name = `bound ${round}`;
    return {
      verb: "create",
      method: "POST",
      path: new RegExp(`^${root}:batchCreate$`),
      async begin() {
        await page.getByRole("button", { name: "Grant access" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Grant access" });
        await dialog.getByRole("searchbox", { name: "Find people and machines" }).fill(name);
        await dialog.getByRole("list", { name: "Matches" }).getByRole("button", { name }).click();
        await dialog.getByLabel("Role").selectOption({ label: "viewer (built-in)" });
        return { dialog, submit: dialog.getByRole("button", { name: "Grant access" }) };
      },
      async effects() {
        const uid = machines[round]?.uid ?? "";
        const answer = await api.get<{ roleBindings?: unknown[] }>(`${root}?identity=${uid}`);
        return answer.roleBindings?.length ?? 0;
      },
      shown: () => expect(page.getByRole("table").getByText(name).first()).toBeVisible(),
    };
  };
};

/** A group has at most one association: each round begins without the last one's. */
const associations: Creates = async (faulty) => {
  const root = "/iam/v2/accountAssociations";
  const { uid } = faulty.organization;
  return (round) => {
    const write = subjectOf(faulty, association, `lost-${round}`).create();
    return {
      ...write,
      async begin() {
        if (round > 0) await faulty.api.delete(`${root}/${uid}`);
        await openList(faulty, association);
        return write.begin();
      },
    };
  };
};

const subscriptions: Creates = async ({ page, api, organization: own, open }) => {
  await open(`subscriptions?group=${own.uid}`);
  const root = "/events/v2/subscriptions";
  return (round) => {
    const sink = `http://127.0.0.1:9/lost-${round}`;
    return {
      verb: "create",
      method: "POST",
      path: new RegExp(`^${root}(/|$)`),
      async begin() {
        await page.getByRole("button", { name: "Create event subscription" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Create event subscription" });
        await dialog.getByRole("textbox", { name: /^URL/ }).fill(sink);
        return { dialog, submit: dialog.getByRole("button", { name: "Create event subscription" }) };
      },
      async effects() {
        const { subscriptions: all = [] } = await api.get<{ subscriptions?: { sink: string }[] }>(
          `${root}?uidp.children_of=${own.uid}&page_size=200`,
        );
        return all.filter((one) => one.sink === sink).length;
      },
      shown: () => expect(page.getByRole("link", { name: sink }).first()).toBeVisible(),
    };
  };
};

/** Every kind that the console can create. */
export const CREATES: Readonly<Record<string, Creates>> = {
  "identity provider": listed(provider),
  organization: listed(organization),
  folder: listed(folder),
  identity: listed(identity),
  role: listed(role),
  "role binding": bindings,
  repo: listed(repo),
  tag: tags,
  invite: first(inviteWrites),
  "group mapping": first(mappingWrites),
  "account association": associations,
  "terms document": listed(terms),
  "event subscription": subscriptions,
};

/**
 * Loses the response to a create in one way. The screen must not deny what happened, and in the end there is one
 * record, however often the person presses.
 */
export async function loseCreate(
  { proxy, page }: Faulty,
  { kill }: Pick<Proxied, "kill">,
  write: Write,
  { what, effect, reused }: Loss,
): Promise<void> {
  const { dialog, submit } = await write.begin();
  let back: Promise<void> | undefined;
  const rule = proxy.rule(
    { method: write.method, path: write.path },
    effect(() => (back = kill())),
    { times: 1 },
  );
  if (reused) {
    proxy.keepAlive = true;
    await page.evaluate(() => fetch("/healthz", { credentials: "omit" }));
  }
  await submit.click();
  const claim = await claimOf(dialog);
  expect(rule.seen, `${what}: the fault did not happen`).toHaveLength(1);
  rule.remove();
  proxy.keepAlive = false;
  await back;
  const done = await write.effects();
  if (claim.saved) expect(done, `${what}: claimed as done`).toBe(1);
  else if (!UNKNOWN.test(claim.text)) expect(done, `${what}: denied: "${claim.text}"`).toBe(0);
  if (!claim.saved) await pressAgain(dialog, submit, `${what}: again`);
  await write.shown();
  expect(await write.effects(), `${what}: all told`).toBe(1);
}
