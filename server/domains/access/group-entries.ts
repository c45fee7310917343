import type { Origin, Queries } from "../../platform/store/database";
import type { Call } from "../../platform/standard/call";
import { transactionOf } from "../../platform/standard/validate-only";
import type { Context } from "../../platform/standard/rules";

/** One transaction, with an entry about the group, whose name `work` returns if there is anything to log. */
export const logged = (
  { database }: Context,
  call: Call,
  group: string,
  work: (queries: Queries) => Promise<string | undefined>,
): Promise<string | undefined> => {
  const { caller, operation = "", arrival } = call;
  return transactionOf(database, call, work, (name): Origin | undefined =>
    name === undefined
      ? undefined
      : {
          issuer: caller.issuer,
          subject: caller.subject,
          jti: caller.jti,
          identity: caller.identities[0] ?? "",
          arrival,
          act: { action: operation, kind: "groups", uid: group, group, name },
        },
  );
};
