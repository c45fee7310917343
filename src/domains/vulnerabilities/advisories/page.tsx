import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { ExploitedBadge, exploitationText } from "./exploitation";
import { inOrder } from "./ids";
import { affectedBy } from "./links";
import { SeverityBadge } from "./severity-badge";
import { StatusBadge } from "./status-badge";
import { verdictOf } from "./verdict";
import { vexActions } from "./vex-export";
import { placeFact } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { DefinitionList } from "~/ui/display/definition-list";
import { Time } from "~/ui/display/time";
import { onDemand } from "~/ui/on-demand";
import { AppLink } from "~/ui/layout/link";

import { advisoryScreens } from "./data";
import { History } from "./history";
import classes from "./styles.module.css";

const Details = onDemand(async () => (await import("./details")).Details);

/** Shows one vulnerability in one component of one artifact: its status and history. */
export const AdvisoryPage = (): ReactNode => (
  <RecordScreen
    of={advisoryScreens}
    badges={(advisory) => (
      <>
        <StatusBadge of={verdictOf(advisory).status} />
        {advisory.severities?.length ? <SeverityBadge of={advisory.severities} /> : null}
        <ExploitedBadge of={advisory.exploitation} />
        {advisory.deleteTime ? <Badge tone="warning">Withdrawn</Badge> : null}
      </>
    )}
    actions={(advisory) => vexActions([advisory], advisoryScreens.nameOf(advisory))}
    primary={(advisory) => <Ask advisory={advisory} />}
    last={(advisory) => <Details advisory={advisory} />}
  >
    {(advisory) => (
      <>
        <DefinitionList items={factsOf(advisory)} />
        <History events={advisory.events ?? []} />
      </>
    )}
  </RecordScreen>
);

function Ask({ advisory: { aliases, advisoryId = "" } }: { readonly advisory: Advisory }): ReactNode {
  const [id = advisoryId] = inOrder(aliases);
  return (
    <Button variant="default" component={AppLink} target={affectedBy(id)}>
      Are we affected?
    </Button>
  );
}

const text = (value: string | undefined): ReactNode => value && <bdi>{value}</bdi>;

const factsOf = (advisory: Advisory) => [
  {
    term: "Aliases",
    wide: true,
    value: advisory.aliases?.length ? (
      <ul className={classes["aliases"]}>
        {inOrder(advisory.aliases).map((alias) => (
          <li key={alias}>
            <AppLink target={affectedBy(alias)}>
              <code>{alias}</code>
            </AppLink>
          </li>
        ))}
      </ul>
    ) : undefined,
  },
  { term: "Artifact", value: text(advisory.artifactName) },
  {
    term: "Type",
    value: text([advisory.artifactType, advisory.artifactArchitecture].filter(Boolean).join(", ")),
  },
  ...(advisory.appliesTo ? [{ term: "Applies to", value: text(advisory.appliesTo) }] : []),
  ...(advisory.exploitation
    ? [{ term: "Exploitation", wide: true, value: exploitationText(advisory.exploitation).join(" ") }]
    : []),
  { term: "Component", value: text(advisory.componentName) },
  { term: "Component type", value: text(advisory.componentType) },
  { term: "Found at", value: advisory.componentLocation && <code>{advisory.componentLocation}</code> },
  { term: "Author", value: text(advisory.author) },
  placeFact(parentOf(advisory.uid)),
  ...(advisory.legacyAdvisoryId
    ? [{ term: "Former id", value: <code>{advisory.legacyAdvisoryId}</code> }]
    : []),
  { term: "Created", value: <Time value={advisory.createTime} /> },
  { term: "Updated", value: <Time value={advisory.updateTime} /> },
  ...(advisory.deleteTime ? [{ term: "Withdrawn", value: <Time value={advisory.deleteTime} /> }] : []),
];
