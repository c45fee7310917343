import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { uidToParam } from "~/features/scope/uid-param";

import { sameImageQuery, tagScreens } from "./data";
import { Name } from "./parts";
import classes from "./styles.module.css";
import { compareVersions } from "./version-order";

/** The other tags of the same image, in the order of their versions. */
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
          {others.map((other) => (
            <li key={other.uid}>
              <AppLink target={tagScreens.link(other.uid)} className={classes["chip"]}>
                <Name tag={other} />
              </AppLink>
            </li>
          ))}
        </ul>
      ) : query.isError ? null : (
        <p className={classes["quiet"]}>
          {digest === undefined
            ? "This tag has no digest."
            : query.data
              ? "No other tag of this repo has the same image."
              : "Loading…"}
        </p>
      )}
      {query.isError ? (
        <FailedPart title="The other tags could not be loaded" error={query.error} onRetry={query.refetch} />
      ) : null}
      {more > 0 && digest !== undefined ? (
        <AppLink target={{ to: "/tags", search: { repo: uidToParam(repo), digest } }}>
          Show {formatQuantity(more, "more tag", "more tags")}
        </AppLink>
      ) : null}
    </Section>
  );
}
