import type { ReactNode } from "react";

import type { Group } from "platform-contract/iam/groups";
import { updatedFact } from "~/frame/record/history";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatCount } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";

import { organizationKind, organizationStatus, type GroupKind } from "~/frame/scope/group-words";
import classes from "./styles.module.css";

/** Shows the fields of a group. The layout stays stable while it loads. */
export function GroupFacts({
  group,
  kind,
}: {
  readonly group: Group | undefined;
  readonly kind: GroupKind;
}): ReactNode {
  const status = organizationStatus(group?.status);
  const type = organizationKind(group?.kind);
  const limits = Object.entries(group?.resourceLimits ?? {}).map(
    ([resource, limit]) => `${resource}: ${formatCount(limit)}`,
  );
  return (
    <DefinitionList
      items={[
        {
          term: "Description",
          value: group?.description && <span className={classes["text"]}>{group.description}</span>,
          wide: true,
        },
        // A folder repeats the kind, the status and the mark of its organization.
        ...(kind === "organization"
          ? [
              { term: "Kind of organization", value: type },
              { term: "Status", value: status && <State tone={status.tone}>{status.word}</State> },
              { term: "Verified", value: group && (group.verified ? "Yes" : "No") },
            ]
          : []),
        ...(limits.length > 0 ? [{ term: "Resource limits", value: limits.join(", ") }] : []),
        { term: "Created", value: group && <Time value={group.createTime} /> },
        updatedFact("groups", group),
      ]}
    />
  );
}
