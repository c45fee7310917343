import type { IncomingMessage, ServerResponse } from "node:http";

import { redirect } from "./answers";
import type { PageContext } from "./page-context";
import { inMinutes, saveState } from "./factors/interaction-state";
import { secondOf } from "./factors/factors.table";
import type { Arrival, Queries } from "../store/database";
import { expired, orExpired } from "./open-interaction";
import { isOpen } from "./sessions";
import { arrivalIn, recordAct, type Act } from "./sign-in-log";

/** What the entry of a sign-in says, or that it was written with what proved it. */
type Entry = Act | "recorded";

/** How somebody has proven who they are: `amr` of their tokens (RFC 8176), and the entry in the log. */
export interface Proven {
  readonly amr: readonly string[];
  readonly act: Entry;
}

interface FirstFactor {
  readonly subject: string;
  /** Of the account; undefined for a pending one, whose email can be another person's. */
  readonly email: string | undefined;
  readonly act: Entry;
}

/** A sign-in that has passed the password, and what it has to pass yet. */
export interface SecondStep {
  readonly subject: string;
  readonly email: string | undefined;
  /** The request with the password, for the log if the sign-in ends here. */
  readonly arrival: Arrival;
  /** The sign-in is complete. */
  readonly done?: true;
  /** Set once a new factor was added: all that is left is to continue. */
  readonly proven?: Proven;
}

/** Minutes from the password to the second factor, or to the end of setting one up. */
const SECOND_FACTOR_MINUTES = 20;

export const saveStep = ({ database, now }: PageContext, uid: string, step: SecondStep): Promise<void> =>
  saveState(database, {
    kind: "SecondStep",
    id: uid,
    value: step,
    subject: step.subject,
    until: inMinutes(now(), SECOND_FACTOR_MINUTES),
  });

/** Throws a Refusal if the sessions of the account ended since it claimed this sign-in. */
async function requireOpen(queries: Queries, uid: string, subject: string): Promise<void> {
  if (!(await isOpen(queries, "Interaction", uid, subject))) throw expired();
}

/** Gives the browser its session, and goes back to where the sign-in came from. */
export async function completeInteraction(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  { subject, email, act, amr }: FirstFactor & Proven,
): Promise<void> {
  const { uid } = await orExpired(context.provider.interactionDetails(request, response));
  // Before the session: a kill in between leaves an entry without one, and never the other way round.
  const still = async (queries: Queries) => requireOpen(queries, uid, subject);
  if (act !== "recorded")
    await recordAct(context, arrivalIn(context.config, request), { act, subject }, still);
  context.marks.set(response, uid, subject);
  if (email !== undefined) context.devices.remember(request, response, email);
  await orExpired(
    context.provider.interactionFinished(
      request,
      response,
      { login: { accountId: subject, amr: [...amr], remember: true } },
      { mergeWithLastSubmission: false },
    ),
  );
}

/**
 * Continues a sign-in that the account has claimed (claimSignIn), whose password was right, or that proved in a similar way who it is: to the second factor, or to
 * the set-up of one where it is required, or else to the end. Every page that signs somebody in comes here, so that none
 * of them can skip the second factor.
 */
export async function continueSignIn(
  context: PageContext,
  request: IncomingMessage,
  response: ServerResponse,
  firstFactor: FirstFactor,
): Promise<void> {
  const { subject, email } = firstFactor;
  const second = await secondOf(context.database, subject, context.config.secondFactor === "required");
  if (second === "none")
    return completeInteraction(context, request, response, { ...firstFactor, amr: ["pwd"] });
  const { uid } = await orExpired(context.provider.interactionDetails(request, response));
  await requireOpen(context.database, uid, subject);
  context.marks.set(response, uid, subject);
  await saveStep(context, uid, { subject, email, arrival: arrivalIn(context.config, request) });
  const next = second === "factor" ? "second-factor" : "set-up";
  redirect(response, `${context.site.mount}/interaction/${uid}/${next}`);
}
