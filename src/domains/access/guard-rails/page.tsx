import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { guardRails, type GuardRail, type GuardRailException } from "platform-contract/iam/guard-rails";
import { useUpdate } from "~/api/mutations/writes";
import { identityWords } from "~/domains/access/grants/identity-words";
import { useIdentities } from "~/domains/access/grants/use-identities";
import type { PageView } from "~/frame/define";
import { useRefusal } from "~/frame/permissions/use-can";
import { updatedFact } from "~/frame/record/history";
import { identityLink } from "~/frame/record/identity-link";
import { RecordScreen } from "~/frame/record/record-screen";
import { useGroup } from "~/frame/scope/group-ancestry";
import { GroupLink, placeFact } from "~/frame/scope/group-link";
import { useView } from "~/frame/use-view";
import { useNow } from "~/ui/clock";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { DefinitionList } from "~/ui/display/definition-list";
import { descriptionFact } from "~/ui/display/description-fact";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { toast } from "~/ui/feedback/toast-store";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import { guardRailScreens, kindLabel, modeWord } from "./data";
import { Findings } from "./findings";
import classes from "./styles.module.css";

/** Shows one guard rail: who breaks it today, and its exceptions. */
export function GuardRailPage(): ReactNode {
  return (
    <RecordScreen
      of={guardRailScreens}
      badges={(rail) => (
        <Badge tone={rail.mode === "GUARD_RAIL_MODE_WARN" ? "quiet" : "strong"}>{modeWord(rail)}</Badge>
      )}
    >
      {(rail) => (
        <>
          <DefinitionList items={factsOf(rail)} />
          <Exceptions of={rail} />
          {rail.kind === "GUARD_RAIL_KIND_REASON_REQUIRED" ? null : (
            <Section
              title="Who breaks it today"
              description={
                rail.kind === "GUARD_RAIL_KIND_SECOND_PERSON"
                  ? "How access that people have came about isn't known: only what would give it anew."
                  : undefined
              }
            >
              <Findings group={parentOf(rail.uid)} rail={rail} />
            </Section>
          )}
        </>
      )}
    </RecordScreen>
  );
}

const factsOf = (rail: GuardRail) => [
  descriptionFact(rail.description),
  { term: "Kind", value: kindLabel(rail.kind) },
  placeFact(parentOf(rail.uid)),
  {
    term: "Set by",
    value: rail.setBy ? (
      <AppLink target={identityLink(rail.setBy)}>
        <bdi>{rail.setByName || "Unknown"}</bdi>
      </AppLink>
    ) : undefined,
  },
  { term: "Created", value: <Time value={rail.createTime} /> },
  updatedFact("guardRails", rail),
];

/** Whom or what it does not count for, until when and why. */
function Exceptions({ of: rail }: { readonly of: GuardRail }): ReactNode {
  const { exceptions = [], uid } = rail;
  const { open } = useView<PageView>();
  const reason = useRefusal()(guardRails.update, uid);
  const update = useUpdate(guardRails);
  const now = useNow(60);
  const remove = (left: readonly GuardRailException[]) =>
    update.mutate(
      { uid, opened: rail, mask: ["exceptions"], body: { exceptions: [...left] } },
      { onSuccess: () => toast("Removed exception") },
    );
  return (
    <Section
      title="Exceptions"
      count={exceptions.length}
      actions={
        <ActionButton reason={reason} onClick={() => open("except")}>
          Add exception
        </ActionButton>
      }
    >
      {update.error ? (
        <FailedPart
          title="The exception couldn't be removed"
          error={update.error}
          onRetry={() => update.mutate(update.variables)}
        />
      ) : null}
      {exceptions.length === 0 ? (
        <p className={classes["quiet"]}>None. It counts for everybody.</p>
      ) : (
        <FactTable
          caption="Exceptions"
          stacks
          head={["For", "Until", "Reason", ""]}
          rows={exceptions.map((one, index) => [
            <Subject key="for" uid={one.subject} />,
            <span key="until">
              <Time value={one.expirationTime} />
              {Date.parse(one.expirationTime) <= now ? (
                <span className={classes["quiet"]}> ended</span>
              ) : null}
            </span>,
            <bdi key="why">{one.reason}</bdi>,
            <ActionButton
              key="remove"
              reason={reason}
              onClick={() => remove(exceptions.filter((_, at) => at !== index))}
            >
              Remove
            </ActionButton>,
          ])}
        />
      )}
    </Section>
  );
}

/** An identity, or a group with everything below it. */
function Subject({ uid }: { readonly uid: string }): ReactNode {
  const { known, pending } = useIdentities([uid]);
  const identity = known.get(uid);
  const { group } = useGroup(identity || pending ? undefined : uid);
  if (group) return <GroupLink uid={uid} />;
  return (
    <AppLink target={identityLink(uid)}>
      <bdi>{identityWords(uid, identity).name}</bdi>
    </AppLink>
  );
}
