import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries";
import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { errorFacts } from "~/kit/error-facts";
import { AppLink } from "~/kit/link";
import { formatQuantity } from "~/kit/numbers";
import { Section } from "~/kit/section";
import { uidToParam } from "~/parts/uid-param";

import { detailOf } from "./-links";
import { sameImageQuery } from "./-tag-queries";
import { compareVersions } from "./-version-order";
import classes from "./tags.module.css";

/** The other names of the same image, in the order of their versions. */
export function AlsoTagged({ tag }: { readonly tag: Tag }): ReactNode {
  const { uid, digest } = tag;
  const repo = parentOf(uid);
  const query = useInfiniteQuery({ ...sameImageQuery(repo, digest ?? ""), enabled: digest !== undefined });
  const { rows, total } = rowsOf(query.data);
  const others = rows.filter((row) => row.uid !== uid).toSorted((a, b) => compareVersions(a.name, b.name));
  const more = Math.max(0, Number(total ?? rows.length) - rows.length);
  return (
    <Section title="Also tagged" count={others.length + more || undefined}>
      {others.length > 0 ? (
        <ul className={classes["chips"]}>
          {others.map(({ uid: other, name, deprecated }) => (
            <li key={other}>
              <AppLink target={detailOf(other)} className={classes["chip"]}>
                <code className={deprecated ? classes["ended"] : undefined}>{name}</code>
              </AppLink>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes["quiet"]}>
          {query.isError
            ? errorFacts(query.error).message
            : query.data
              ? "No other tag of this repo names the same image."
              : "Loading…"}
        </p>
      )}
      {more > 0 && digest !== undefined ? (
        <AppLink target={{ to: "/tags", search: { repo: uidToParam(repo), digest } }}>
          Show {formatQuantity(more, "more tag", "more tags")}
        </AppLink>
      ) : null}
    </Section>
  );
}
