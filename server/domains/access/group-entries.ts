import type { Origin, Queries } from "../../platform/store/database";
import type { Call } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";

/** One transaction, with an entry about the group, whose name `work` returns if there is anything to log. */
export const logged = (
  { database }: Context,
  { caller, operation = "", arrival }: Call,
  group: string,
  work: (queries: Queries) => Promise<string | undefined>,
): Promise<string | undefined> =>
  database.transaction(work, (name): Origin | undefined =>
    name === undefined
      ? undefined
      : {
          issuer: caller.issuer,
          subject: caller.subject,
          identity: caller.identities[0] ?? "",
          arrival,
          act: { action: operation, kind: "groups", uid: group, group, name },
        },
  );
