import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { GuardRailFinding, GuardRailInput } from "platform-contract/iam/guard-rails";
import { kindOf } from "platform-contract/kinds";
import { rowsOf } from "~/api/queries/queries";
import { GroupLink } from "~/frame/scope/group-link";
import { recordLink } from "~/frame/scope/record-link";
import { capitalize } from "~/ui/display/capitalize";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { AppLink } from "~/ui/layout/link";
import { ShowMore } from "~/ui/table/show-more";

import { findingsQuery } from "./data";
import classes from "./styles.module.css";

interface FindingsProps {
  /** uid of the group where it counts. */
  readonly group: string;
  /** One that is set, or the values of one that is not. */
  readonly rail: { readonly uid: string } | Partial<GuardRailInput>;
  /** As a list, where there is no room for a table. */
  readonly narrow?: boolean;
}

const CAPTION = "Breaks it today";

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Who and what breaks a guard rail today: a dry run. */
export function Findings({ group, rail, narrow = false }: FindingsProps): ReactNode {
  const query = useInfiniteQuery(findingsQuery(group, rail));
  const { rows } = rowsOf(query.data);
  const last: { readonly hiddenKinds?: readonly string[] | undefined } = Object(query.data?.pages.at(-1));
  const { hiddenKinds = [] } = last;
  const whole = query.data !== undefined && !query.hasNextPage;
  return (
    <div className={classes["findings"]}>
      {query.isPending ? <p className={classes["quiet"]}>Loading…</p> : null}
      {query.data && rows.length === 0 ? (
        <p role="status" className={classes["quiet"]}>
          {whole ? "Nothing that you can see breaks it." : "Nothing so far."}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <>
          <p role="status" className={classes["quiet"]}>
            {formatQuantity(rows.length, "record breaks", "records break")} it{whole ? "" : " so far"}. What
            exists stays: guard rails are checked when access is given.
          </p>
          {narrow ? (
            <ul className={classes["list"]} aria-label={CAPTION}>
              {rows.map((one) => (
                <li key={one.uid}>
                  <What of={one} />
                  <span className={classes["quiet"]}>
                    In <GroupLink uid={one.group} />. <Why of={one} />
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <FactTable
              caption={CAPTION}
              stacks
              head={["What", "Where", "Why"]}
              rows={rows.map((one) => [
                <What key="what" of={one} />,
                <GroupLink key="where" uid={one.group} />,
                <Why key="why" of={one} />,
              ])}
            />
          )}
        </>
      ) : null}
      {hiddenKinds.length > 0 ? (
        <p className={classes["quiet"]}>
          Your role hides {joined(hiddenKinds.map((kind) => kindOf(kind)?.plural ?? kind))} here, which may
          break it too.
        </p>
      ) : null}
      <FailedPages title="Who breaks it couldn't be loaded" query={query} />
      <ShowMore query={query} />
    </div>
  );
}

function What({ of: { kind, uid, name = "", roleName } }: { readonly of: GuardRailFinding }): ReactNode {
  const link = recordLink({ kind, uid });
  const noun = capitalize(kindOf(kind)?.noun ?? kind);
  return (
    <span className={classes["what"]}>
      {link ? (
        <AppLink target={link}>
          <bdi>{name}</bdi>
        </AppLink>
      ) : (
        <bdi>{name}</bdi>
      )}{" "}
      <span className={classes["quiet"]}>
        {noun}
        {roleName ? (
          <>
            , <bdi>{roleName}</bdi>
          </>
        ) : null}
      </span>
    </span>
  );
}

const Why = ({ of: { sentence = "", exceptionEndTime } }: { readonly of: GuardRailFinding }): ReactNode => (
  <>
    {sentence}
    {exceptionEndTime ? (
      <span className={classes["quiet"]}>
        . Excepted until <Time value={exceptionEndTime} />
      </span>
    ) : null}
  </>
);
