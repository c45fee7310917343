import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { useUnseen } from "~/frame/scope/use-sight";
import { listRetentionRules, type RetentionRule } from "platform-contract/registry/retention";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { ShowMore } from "~/ui/table/show-more";

import classes from "../styles.module.css";
import { rulesQuery } from "./data";
import { stateOf } from "~/domains/registry/retention-fact/rule";
import { PlaceLink } from "~/domains/registry/retention-fact/place";

/** The rules of folders and repos below a folder. */
export function RulesBelow({ place }: { readonly place: string }): ReactNode {
  return (
    <Section title="Rules of folders and repos below" description="The nearest rule of a repo decides alone.">
      <Rules scope={place} />
    </Section>
  );
}

/** Every rule that the user can see. */
export function AllRules(): ReactNode {
  return (
    <Section title="Rules" description="The nearest rule of a repo decides alone.">
      <Rules scope={undefined} />
    </Section>
  );
}

function Rules({ scope }: { readonly scope: string | undefined }): ReactNode {
  const query = useInfiniteQuery(rulesQuery(scope));
  const unseen = useUnseen(listRetentionRules, "retention rules", scope);
  const rows = rowsOf(query.data).rows.filter(({ uid }) => uid !== scope);
  return (
    <>
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.data && rows.length === 0 ? (
        <p role="status" className={classes["quiet"]}>
          No rule {scope === undefined ? "" : "below "}that you can see. {unseen}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <FactTable
          caption="Retention rules"
          stacks
          head={["Place", "Rule", "State", "Set by", "Last run"]}
          rows={rows.map(rowOf)}
        />
      ) : null}
      <FailedPages title="The rules couldn't be loaded" query={query} />
      <ShowMore query={query} />
    </>
  );
}

function rowOf(rule: RetentionRule): ReactNode[] {
  const { word, tone } = stateOf(rule);
  return [
    <PlaceLink key="place" of={rule} />,
    rule.sentence,
    <State key="state" tone={tone}>
      {word}
    </State>,
    <bdi key="by">{rule.setByName}</bdi>,
    rule.lastRunTime ? (
      <span key="run">
        <Time value={rule.lastRunTime} />
        {rule.lastRunDeletions === undefined
          ? ", running…"
          : `: ${formatQuantity(rule.lastRunDeletions, "tag", "tags")} deleted then`}
      </span>
    ) : undefined,
  ];
}
