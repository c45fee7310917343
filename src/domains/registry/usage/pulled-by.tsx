import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import type { Tag } from "platform-contract/registry/tags";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";
import type { Column } from "~/ui/table/types";
import { useSettled } from "~/ui/use-settled";

import { pullersOfRow } from "./queries";
import classes from "./usage.module.css";

/** Identities that a row names; the rest are counted. */
const NAMED = 2;

function PulledBy({ tag }: { readonly tag: string }): ReactNode {
  const { data, error } = useQuery({ ...pullersOfRow(tag), enabled: useSettled() });
  if (!data) return error ? <UnknownCell why={errorFacts(error).message} /> : <LoadingCell />;
  const pullers = data.record?.pullers ?? [];
  return (
    <span className={classes["pullers"]} data-tip-overflow="">
      {pullers.slice(0, NAMED).map(({ identity = "", identityName }, index) => (
        <Fragment key={identity}>
          {index > 0 ? ", " : null}
          <AppLink target={identityLink(identity)}>
            <bdi>{identityName || shorten(identity)}</bdi>
          </AppLink>
        </Fragment>
      ))}
      {pullers.length > NAMED ? ` and ${formatCount(pullers.length - NAMED)} more` : null}
    </span>
  );
}

/** Who has pulled a tag in the last days. */
export const pulledByColumn: Column<Tag> = {
  id: "pulledBy",
  header: "Pulled by",
  width: "minmax(9rem, 3fr)",
  hideBelow: 760,
  cell: ({ uid }) => <PulledBy tag={uid} />,
  text: false,
};
