import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { ApiError } from "platform-client/errors";
import { invalidateDependents } from "~/api/mutations/patch";
import { useCan } from "~/frame/permissions/use-can";
import { identityLink } from "~/frame/record/identity-link";
import { kindOf } from "~/frame/scope/group-words";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import {
  deleteRetentionRule,
  getRetentionRule,
  setRetentionRule,
  stopRetentionRule,
  UNDO_DAYS,
  type RetentionRule,
} from "platform-contract/registry/retention";
import { ActionButton } from "~/ui/controls/action-button";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { ConfirmDelete } from "~/ui/overlay/confirm-delete";

import { NO_RULES, rulesOf } from "../rules";
import classes from "../styles.module.css";
import { RETENTION } from "./data";
import { effectiveRule, stateOf } from "~/domains/registry/retention-fact/rule";
import { PlaceLink } from "~/domains/registry/retention-fact/place";
import { RuleForm } from "./rule-form";
import { RulesBelow } from "./rules-list";
import { Runs } from "./runs";

const ServicePreview = onDemand(async () => (await import("./preview")).ServicePreview);

const ALWAYS =
  "Never deleted: latest, tags that a repo lists as active, names that move with newer versions (1.27 beside 1.27.3), exempt names, images that a repo synced from here has, and with a registry images that are still downloaded.";

/** How often to look for the end of a run, in milliseconds. */
const LOOK_MS = 2_000;

/** True while what the last run deleted isn't known yet. */
const isRunning = (rule: RetentionRule | undefined): boolean =>
  rule?.state === "RETENTION_STATE_RUNNING" && rule.lastRunDeletions === undefined;

interface PlaceRuleProps {
  /** uid of the repo or group. */
  readonly place: string;
  readonly isRepo: boolean;
}

/** The rule of one place: what it says, what it would delete, what its runs did. */
export function PlaceRule({ place, isRepo }: PlaceRuleProps): ReactNode {
  const { data, error, refetch } = useQuery({
    ...effectiveRule(place),
    refetchInterval: ({ state }) => (isRunning(state.data?.rule) ? LOOK_MS : false),
  });
  const [editing, setEditing] = useState(false);
  // A group that the user doesn't see at all.
  if (!data && error instanceof ApiError && error.code === "PERMISSION_DENIED")
    return <HiddenByRole capability={getRetentionRule.access.needs[0]} group={place} place={place} />;
  if (error && !data)
    return <FailedPart title="The rule couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data)
    return (
      <p role="status" className={classes["quiet"]}>
        Loading…
      </p>
    );
  const own = data.rule?.uid === place ? data.rule : undefined;
  const above = own ? undefined : data.rule;
  return (
    <>
      {above ? <DecidedAbove rule={above} isRepo={isRepo} /> : null}
      {own && !editing ? (
        <OwnRule rule={own} onEdit={() => setEditing(true)} />
      ) : (
        <Section
          title={own ? "Edit rule" : `Set a rule for this ${isRepo ? "repo" : kindOf(place)}`}
          description={`A tag is deleted if it meets everything that is set. ${ALWAYS}`}
        >
          <RuleForm
            key={own?.version ?? 0}
            place={place}
            opened={own ? rulesOf(own) : NO_RULES}
            version={own?.version}
            onClose={own ? () => setEditing(false) : undefined}
            onSaved={() => setEditing(false)}
          />
        </Section>
      )}
      {own && !editing ? <ServicePreview key={own.version} rule={own} /> : null}
      {isRepo ? null : <RulesBelow place={place} />}
      <Runs place={place} isRepo={isRepo} rule={own} />
    </>
  );
}

/** Which rule decides in place of an own one. */
const DecidedAbove = ({
  rule,
  isRepo,
}: {
  readonly rule: RetentionRule;
  readonly isRepo: boolean;
}): ReactNode => (
  <Notice title={isRepo ? "A folder's rule decides about this repo" : "A rule further up decides here"}>
    <PlaceLink of={rule} />: {rule.sentence} {stateOf(rule).word}. A rule set here takes its place as soon as
    it is saved, also while nobody has confirmed it.
  </Notice>
);

function OwnRule({ rule, onEdit }: { readonly rule: RetentionRule; readonly onEdit: () => void }): ReactNode {
  const client = useQueryClient();
  const { uid } = rule;
  const { reason } = useCan(setRetentionRule, uid);
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const changed = () => invalidateDependents(client, RETENTION);
  const stop = async () => {
    setFailure(undefined);
    try {
      await call(stopRetentionRule, { path: { uid }, body: {} });
      toast("Stopped the rule");
    } catch (error) {
      setFailure(error);
    } finally {
      changed();
    }
  };
  return (
    <Section
      title="Rule"
      description={ALWAYS}
      actions={
        <>
          <ActionButton reason={reason} onClick={onEdit}>
            Edit rule
          </ActionButton>
          {rule.state === "RETENTION_STATE_RUNNING" ? (
            <ActionButton reason={reason} onClick={() => void stop()}>
              Stop rule
            </ActionButton>
          ) : null}
          <ActionButton reason={reason} onClick={() => setAsking(true)}>
            Delete rule
          </ActionButton>
        </>
      }
    >
      {rule.stopReason ? (
        <Notice tone="warning" title="The service stopped this rule">
          {rule.stopReason} It runs again once somebody confirms a preview.
        </Notice>
      ) : null}
      {failure === undefined ? null : (
        <FailedPart title="The rule couldn't be stopped" error={failure} onRetry={() => void stop()} />
      )}
      <DefinitionList items={factsOf(rule)} />
      {asking ? (
        <ConfirmDelete
          opened
          kind="rule"
          name={rule.placeName ?? ""}
          title="Delete this rule?"
          verb={{ act: "Delete rule", acting: "Deleting" }}
          consequence={`Nothing is deleted by it any more. Reports of its runs stay, and tags can be restored from them for ${UNDO_DAYS} days. A rule of a folder above decides then, if there is one.`}
          onDelete={() => call(deleteRetentionRule, { path: { uid } })}
          onDeleted={() => {
            setAsking(false);
            changed();
            toast("Deleted the rule");
          }}
          onClose={() => setAsking(false)}
        >
          <WriteRequests requests={() => [{ endpoint: deleteRetentionRule, path: { uid } }]} />
        </ConfirmDelete>
      ) : null}
    </Section>
  );
}

const by = (uid: string | undefined, name: string | undefined, time: string | undefined): ReactNode =>
  uid === undefined || time === undefined ? undefined : (
    <span>
      <AppLink target={identityLink(uid)}>
        <bdi>{name || "Unknown"}</bdi>
      </AppLink>
      , <Time value={time} />
    </span>
  );

const factsOf = (rule: RetentionRule): Definition[] => {
  const { word, tone } = stateOf(rule);
  return [
    { term: "In words", value: rule.sentence, wide: true },
    { term: "State", value: <State tone={tone}>{word}</State> },
    {
      term: "Last run",
      value: rule.lastRunTime ? (
        <span>
          <Time value={rule.lastRunTime} />
          {rule.lastRunDeletions === undefined
            ? ", running…"
            : `: ${formatQuantity(rule.lastRunDeletions, "tag", "tags")} deleted then`}
        </span>
      ) : undefined,
    },
    { term: "Set by", value: by(rule.setBy, rule.setByName, rule.setTime) },
    { term: "Confirmed by", value: by(rule.confirmedBy, rule.confirmedByName, rule.confirmTime) },
  ];
};
