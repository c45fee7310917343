import { Button } from "@mantine/core";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { itemText, writeItem, type PastedItem } from "~/domains/vulnerabilities/advisories/pasted/item";
import type { SeenAdvisories } from "~/domains/vulnerabilities/advisories/seen";
import { useUntold } from "~/domains/vulnerabilities/advisories/tags-here";
import type { Scope } from "~/frame/scope/scope";
import { Badge } from "~/ui/display/badge";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import type { AffectedSearch } from "./data";
import { questionQuery } from "./questions";
import classes from "./styles.module.css";

/** How many are answered at once; the others on request. */
const AT_ONCE = 50;

interface ChipsProps {
  readonly items: readonly PastedItem[];
  /** How many the text asks about, if not all are here. */
  readonly of: number;
  readonly search: AffectedSearch;
  readonly scope: Scope;
  /** Why advisories can be hidden; undefined if they can't. */
  readonly hidden: string | undefined;
  readonly seen: SeenAdvisories;
}

/** Everything that was read from a text, each with its answer. */
export function Chips({ items, of, search, scope, hidden, seen }: ChipsProps): ReactNode {
  const client = useQueryClient();
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const [shown, setShown] = useState(AT_ONCE);
  const { why: untold } = useUntold(scope.group);
  const asked = items.slice(0, shown);
  const answers = useQueries({
    queries: asked.map((item) => questionQuery(item, { scope, registryHost, untold, hidden, seen }, client)),
  });
  const rest = items.length - asked.length;
  return (
    <Section title="Found in your text" count={of}>
      <ul className={classes["chips"]} aria-label="Found in your text">
        {asked.map((item, index) => {
          const pick = writeItem(item);
          const { data, error } = answers[index] ?? {};
          return (
            <li key={pick}>
              <AppLink
                target={{ to: "/affected", search: { ...search, pick } }}
                className={classes["chip"]}
                aria-current={search.pick === pick ? "true" : undefined}
              >
                <bdi>{itemText(item)}</bdi>
                <VisuallyHidden>: </VisuallyHidden>
                {data ? (
                  <Badge tone={data.tone}>{data.text}</Badge>
                ) : error ? (
                  <Badge tone="danger">Not checked: {errorFacts(error).message}</Badge>
                ) : (
                  <span className={classes["quiet"]}>Checking…</span>
                )}
              </AppLink>
            </li>
          );
        })}
      </ul>
      {rest > 0 ? (
        <div>
          <p className={classes["quiet"]}>{formatQuantity(rest, "more is", "more are")} not checked yet.</p>
          <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
            Check {formatCount(Math.min(rest, AT_ONCE))} more
          </Button>
        </div>
      ) : null}
      {of > items.length ? (
        <p className={classes["quiet"]}>
          {formatCount(of - items.length)} of {formatCount(of)} aren&apos;t looked up: paste the rest
          separately.
        </p>
      ) : null}
    </Section>
  );
}
