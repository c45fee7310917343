import type { IncomingMessage, ServerResponse } from "node:http";

import { redirect } from "./answers";
import type { Desk } from "./desk";
import { inMinutes, keep } from "./factors/kept";
import { secondOf } from "./factors/stored";
import type { Arrival } from "../store/database";
import { arrivalIn, logAct, type Act } from "./sign-in-log";

/** What the entry of a sign-in says, or that it was written with what proved it. */
type Entry = Act | "recorded";

/** How somebody has proven who they are: `amr` of their tokens (RFC 8176), and the entry in the log. */
export interface Proven {
  readonly amr: readonly string[];
  readonly act: Entry;
}

interface Entering {
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
const STEP_MINUTES = 20;

export const keepStep = ({ database, now }: Desk, uid: string, step: SecondStep): Promise<void> =>
  keep(database, {
    kind: "SecondStep",
    id: uid,
    value: step,
    subject: step.subject,
    until: inMinutes(now(), STEP_MINUTES),
  });

/** Gives the browser its session, and goes back to where the sign-in came from. */
export async function finish(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  { subject, email, act, amr }: Entering & Proven,
): Promise<void> {
  if (email !== undefined) desk.devices.remember(request, response, email);
  if (act !== "recorded") await logAct(desk, arrivalIn(desk.config, request), { act, subject });
  await desk.provider.interactionFinished(
    request,
    response,
    { login: { accountId: subject, amr: [...amr], remember: true } },
    { mergeWithLastSubmission: false },
  );
}

/**
 * Continues a sign-in whose password was right, or that proved in a similar way who it is: to the second factor, or to
 * the set-up of one where it is required, or else to the end. Every page that signs somebody in comes here, so that none
 * of them can skip the second factor.
 */
export async function enter(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  entering: Entering,
): Promise<void> {
  const { subject, email } = entering;
  const second = await secondOf(desk.database, subject, desk.config.secondFactor === "required");
  if (second === "none") return finish(desk, request, response, { ...entering, amr: ["pwd"] });
  const { uid } = await desk.provider.interactionDetails(request, response);
  await keepStep(desk, uid, { subject, email, arrival: arrivalIn(desk.config, request) });
  const next = second === "factor" ? "second-factor" : "set-up";
  redirect(response, `${desk.site.mount}/interaction/${uid}/${next}`);
}
