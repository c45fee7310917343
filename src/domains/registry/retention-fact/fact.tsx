import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";

import { effectiveRule, stateOf } from "./rule";
import { PlaceLink, retentionPage } from "./place";

/** The rule that decides about a group or repo, in words, with its place. */
export function RetentionFact({
  place,
  isRepo,
}: {
  readonly place: string;
  readonly isRepo: boolean;
}): ReactNode {
  const { data, error } = useQuery(effectiveRule(place));
  if (error && !data) return <UnknownCell why={errorFacts(error).message} />;
  if (!data) return <LoadingCell />;
  const { rule } = data;
  const own = retentionPage(place, isRepo);
  if (!rule) return <AppLink target={own}>No rule</AppLink>;
  return (
    <span>
      {rule.sentence} {stateOf(rule).word}
      {rule.uid === place ? (
        <>
          . <AppLink target={own}>View rule</AppLink>
        </>
      ) : (
        <>
          , by the rule of <PlaceLink of={rule} />.
        </>
      )}
    </span>
  );
}
