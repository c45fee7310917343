import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { invalidateDependents } from "~/api/mutations/patch";
import { useCan } from "~/frame/permissions/use-can";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { setRetentionRule } from "platform-contract/registry/retention";
import { getRegistryUsage } from "platform-contract/registry/usage";
import { useUsageKnown } from "~/domains/registry/usage/use-usage-known";
import { WithoutRegistry } from "~/domains/registry/usage/without-registry";
import { asSentence } from "~/ui/display/as-sentence";
import { errorFacts } from "~/ui/feedback/error-facts";
import { FailedPart } from "~/ui/feedback/failed-part";
import { toast } from "~/ui/feedback/toast-store";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { problemsOf, valuesOf, type Rules } from "../rules";
import { RulesForm } from "../rules-form";
import { RETENTION } from "./data";

/** The fields of the form, by those of the API. */
const FIELDS: Readonly<Record<string, keyof Rules>> = {
  namePatterns: "names",
  exemptPatterns: "exempt",
  olderThanDays: "olderThanDays",
  notPulledDays: "notPulledDays",
  keepNewest: "keepNewest",
};

type Problems = Partial<Record<keyof Rules, string>>;

/** What the service finds wrong, by field of the form. */
const refusedFields = (error: unknown): Problems =>
  Object.fromEntries(
    errorFacts(error).violations.flatMap(({ field, description }) => {
      const own = FIELDS[field.split("[", 1)[0] ?? ""];
      return own === undefined ? [] : [[own, asSentence(description)]];
    }),
  );

interface RuleFormProps {
  readonly place: string;
  readonly opened: Rules;
  /** Of the rule that the form was filled from; undefined for a new one. */
  readonly version: number | undefined;
  readonly onClose: (() => void) | undefined;
  readonly onSaved: () => void;
}

/** Sets the rule of a place. It deletes nothing until a preview of it is confirmed. */
export function RuleForm({ place, opened, version, onClose, onSaved }: RuleFormProps): ReactNode {
  const client = useQueryClient();
  const [rules, setRules] = useState(opened);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<unknown>();
  const [saving, setSaving] = useState(false);
  const { reason } = useCan(setRetentionRule, place);
  const { reason: unknown } = useCan(getRegistryUsage, place);
  const pulls = useUsageKnown() ? { unknown } : undefined;
  const bodyOf = () => ({ ...valuesOf(rules), ...(version !== undefined && { version }) });
  const save = async () => {
    const wrong = problemsOf(rules);
    setProblems(wrong);
    setFailure(undefined);
    if (saving || Object.keys(wrong).length > 0) return;
    setSaving(true);
    try {
      await call(setRetentionRule, { path: { uid: place }, body: bodyOf() });
      invalidateDependents(client, RETENTION);
      toast("Saved the rule. It runs once its preview is confirmed.");
      onSaved();
    } catch (error) {
      const refused = refusedFields(error);
      setProblems(refused);
      if (Object.keys(refused).length === 0) setFailure(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <>
      <RulesForm
        rules={rules}
        problems={problems}
        pulls={pulls}
        onChange={(next) => {
          setRules(next);
          setProblems({});
        }}
      >
        <DisabledReason reason={reason}>
          <Button onClick={() => void save()} loading={saving}>
            Save rule
          </Button>
        </DisabledReason>
        {onClose ? (
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        ) : null}
      </RulesForm>
      {pulls ? null : <WithoutRegistry>No rule by the last pull</WithoutRegistry>}
      {failure === undefined ? null : (
        <FailedPart title="The rule wasn't saved" error={failure} onRetry={() => void save()} />
      )}
      <WriteRequests
        requests={() =>
          Object.keys(problemsOf(rules)).length > 0
            ? []
            : [{ endpoint: setRetentionRule, path: { uid: place }, body: bodyOf() }]
        }
      />
    </>
  );
}
