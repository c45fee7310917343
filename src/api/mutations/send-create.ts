import type { QueryClient } from "@tanstack/react-query";

import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { call } from "../client/client";
import { ApiError } from "../client/errors";
import { pollOutcome } from "./poll-outcome";
import {
  findOutcome,
  forgetUnconfirmed,
  heldUids,
  isResend,
  unconfirmedCreates,
  rememberUnconfirmed,
  type UnconfirmedCreate,
  type Made,
} from "./unconfirmed-create";
import { leastTimeFromNow } from "../client/service-clock";

export interface Creatable<T, I> {
  readonly collection: string;
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
  readonly create: Endpoint<object, I, T>;
}

const NOT_KNOWN = "It is not known whether this was created. Creating it again looks first.";
const NOT_THIS =
  "An earlier attempt of this form did work after all, and what it created is in the list. Nothing else was created.";

/**
 * Creates a record once, however often it is sent: as long as an earlier request may have worked, or may still, the
 * console looks before it sends another one, and what it finds is the answer. `own` keeps the lost create of one form,
 * whose values may be changed before they are sent again. Rejects with an ApiError that says what is known.
 */
export async function sendCreate<T extends Made, I>(
  client: QueryClient,
  resource: Creatable<T, I>,
  { parent, body }: { readonly parent: string; readonly body: I },
  own: { current: UnconfirmedCreate | undefined },
): Promise<T> {
  const { collection, list, create } = resource;
  const same = unconfirmedCreates(client, collection).find((each) => isResend(each, parent, body));
  const earlier = same ?? own.current;
  if (earlier) {
    const made = await find(list, earlier, "done", new ApiError("unreachable", ""));
    if (made) {
      forgetUnconfirmed(client, collection, earlier);
      own.current = undefined;
      if (same) return made;
      throw new ApiError("refused", NOT_THIS, { outcome: "none" });
    }
  }
  // The first time counts: what an earlier request made is not to be taken for somebody else's.
  const attempt = same ?? {
    parent,
    body,
    notBefore: leastTimeFromNow(),
    before: heldUids(client, collection),
  };
  try {
    const record = await call(create, { path: { parent }, body });
    forgetUnconfirmed(client, collection, attempt);
    own.current = undefined;
    return record;
  } catch (error) {
    // A browser repeats a request by itself on a dropped connection, and the page gets the answer to the second one.
    if (error instanceof ApiError && error.code === "ALREADY_EXISTS") {
      const made = await find(list, attempt, "done", error).catch(() => undefined);
      if (!made) throw error;
      forgetUnconfirmed(client, collection, attempt);
      own.current = undefined;
      return made;
    }
    if (!(error instanceof ApiError && error.doubt)) throw error;
    if (!same) rememberUnconfirmed(client, collection, attempt);
    own.current = attempt;
    const made = await find(list, attempt, error.doubt, error);
    if (!made) throw error.retold(`${error.message} Nothing was created.`, "none");
    forgetUnconfirmed(client, collection, attempt);
    own.current = undefined;
    return made;
  }
}

/** What a lost create made, if it did. Where that cannot be seen, `error` is thrown with what is not known. */
async function find<T extends Made>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  lost: UnconfirmedCreate,
  doubt: "late" | "done",
  error: ApiError,
): Promise<T | undefined> {
  const read = async (signal: AbortSignal) => ({ made: await findOutcome(list, lost, signal) });
  const answer = await pollOutcome(doubt, read, ({ made }) => made !== undefined).catch(() => undefined);
  if (!answer) throw error.retold(`${error.message} ${NOT_KNOWN}`.trim(), "unknown");
  return answer.made;
}
