import type { ReactNode } from "react";

import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Notice } from "~/ui/feedback/notice";

import { COLLECTIONS, kindIn, type Collection, type Contents } from "platform-client/snapshots/format";
import classes from "./styles.module.css";
import type { Progress } from "./use-contents";

export const pluralOf = (collection: Collection): string => kindIn(collection).plural;

/** Shows the progress of a reading, kind by kind. */
export function Reading({ read, collection, of }: Progress): ReactNode {
  const share = of === undefined || of === 0 ? undefined : { max: of, value: Math.min(read, of) };
  return (
    <div>
      <p className={classes["quiet"]}>
        Reading {pluralOf(collection)}: {formatCount(read)}{" "}
        {share ? `of ${formatCount(share.max)}` : "so far"}
      </p>
      <progress className={classes["progress"]} aria-label="Reading the scope" {...share} />
    </div>
  );
}

/** Formats counts: "12 groups, 3 roles, 40 role bindings, 25 identities, 9 repos, tags unknown". */
export const countsOf = ({ records, missing, unknown = [] }: Contents): string =>
  COLLECTIONS.map((kind) => {
    const { noun, plural } = kindIn(kind);
    // What nothing could be read of isn't none.
    if (unknown.includes(kind) || (missing[kind] !== undefined && records[kind].length === 0))
      return `${plural} unknown`;
    return formatQuantity(records[kind].length, noun, plural);
  }).join(", ");

export const totalOf = ({ records }: Pick<Contents, "records">): number =>
  COLLECTIONS.reduce((sum, kind) => sum + records[kind].length, 0);

interface MissingProps {
  readonly title: string;
  readonly kinds: readonly { readonly collection: Collection; readonly why: string }[];
}

/** Lists the kinds that could not be read completely, with the reasons. */
export function Missing({ title, kinds }: MissingProps): ReactNode {
  if (kinds.length === 0) return null;
  const reasons = [...new Set(kinds.map(({ why }) => why))];
  return (
    <Notice tone="warning" title={title}>
      <ul className={classes["reasons"]}>
        {reasons.map((reason) => (
          <li key={reason}>
            {kinds
              .filter(({ why }) => why === reason)
              .map(({ collection }) => pluralOf(collection))
              .join(", ")}
            : {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

export const missingOf = ({ missing }: Pick<Contents, "missing">) =>
  COLLECTIONS.flatMap((collection) => {
    const why = missing[collection];
    return why === undefined ? [] : [{ collection, why }];
  });
