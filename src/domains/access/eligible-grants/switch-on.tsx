import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import * as z from "zod/mini";

import { callOnce } from "~/api/mutations/call-once";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { activateEligibleGrant, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import { secondsOf } from "platform-contract/schema";
import { toast } from "~/ui/feedback/toast-store";
import { SelectField, TextAreaField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { useResourceForm } from "~/ui/form/use-resource-form";

import { durationWords, placeOf, refreshAll, roleOf } from "./data";

const CHOICES = [900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400];

const values = z.object({
  duration: z.string().check(z.minLength(1, "Choose for how long")),
  reason: z.string().check(
    z.refine((text) => text.trim() !== "", "Say why you need it, in a sentence"),
    z.maxLength(500, "Use at most 500 characters"),
  ),
});

interface SwitchOnProps {
  readonly grant: EligibleGrant;
  readonly onClose: () => void;
}

/** Switches on an eligible grant of the user, or asks for approval. */
export function SwitchOn({ grant, onClose }: SwitchOnProps): ReactNode {
  const client = useQueryClient();
  const { uid, maxDuration, requireApproval } = grant;
  const most = secondsOf(maxDuration ?? "") ?? 0;
  const options = [...new Set([...CHOICES.filter((seconds) => seconds < most), most])].map((seconds) => ({
    value: `${seconds}s`,
    label: durationWords(`${seconds}s`),
  }));
  const [opened] = useState({ duration: `${Math.min(3_600, most)}s`, reason: "" });
  // One key until there is an answer: pressed again after a lost one, it is the same request.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const form = useResourceForm({ schema: values, defaultValues: opened });
  const verb = requireApproval ? "Ask for approval" : "Switch on";
  return (
    <FormDrawer
      opened
      onClose={onClose}
      form={form}
      title={
        <>
          {verb}: <bdi>{roleOf(grant)}</bdi> in <bdi>{placeOf(grant)}</bdi>
        </>
      }
      submitLabel={verb}
      savingLabel={requireApproval ? "Asking" : "Switching on"}
      behind={
        <FormRequests
          form={form}
          requests={(body) => [{ endpoint: activateEligibleGrant, path: { uid }, body }]}
        />
      }
      onSubmit={(body) =>
        callOnce(activateEligibleGrant, { path: { uid }, body }, key).catch((error: unknown) => {
          if (Object(error)["outcome"] !== "unknown") setKey(crypto.randomUUID());
          refreshAll(client);
          throw error;
        })
      }
      onSaved={({ activation }) => {
        refreshAll(client);
        onClose();
        toast(
          activation?.state === "ACTIVATION_STATE_WAITING"
            ? `Asked for approval of ${roleOf(grant)} in ${placeOf(grant)}`
            : `Switched on ${roleOf(grant)} in ${placeOf(grant)}`,
        );
      }}
    >
      <SelectField
        name="duration"
        label="For how long"
        required
        options={options}
        hint={
          requireApproval
            ? "It starts when somebody approves. It ends by itself, or when you switch it off."
            : "It ends by itself, or when you switch it off."
        }
      />
      <TextAreaField
        name="reason"
        label="Reason"
        required
        hint={`Kept in the audit log.${requireApproval ? " Who approves reads it." : ""}`}
      />
    </FormDrawer>
  );
}
