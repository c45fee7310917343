import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";

import { rootOf } from "platform-contract/aip";
import { createAccessReview, DUE_DAYS } from "platform-contract/iam/access-reviews";
import { callOnce } from "~/api/mutations/call-once";
import { WhoField } from "~/domains/access/role-bindings/who-field";
import { useCan } from "~/frame/permissions/use-can";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { toast } from "~/ui/feedback/toast-store";
import { INCOMPLETE, inDays } from "~/ui/form/date-time";
import { DateTimeField } from "~/ui/form/date-time-field";
import { CheckboxField, TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { RadioCardsField } from "~/ui/form/radio-cards-field";
import { useResourceForm } from "~/ui/form/use-resource-form";

const PRESETS = [
  { label: "1 week", days: 7 },
  { label: "2 weeks", days: 14 },
  { label: "30 days", days: 30 },
];
const OWNERS = "REVIEWER_RULE_FOLDER_OWNERS";
const NAMED = "REVIEWER_RULE_NAMED";

const schema = z
  .object({
    title: z.string().check(z.refine((text) => text.trim() !== "", "Enter a title")),
    dueTime: z
      .string()
      .check(z.refine((time) => time !== "" && time !== INCOMPLETE, "Enter a date and a time")),
    reviewerRule: z.string(),
    identities: z.array(z.string()),
    asksMachineOwners: z.boolean(),
    quarterly: z.boolean(),
  })
  .check(
    z.refine(({ reviewerRule, identities }) => reviewerRule !== NAMED || identities.length > 0, {
      error: "Choose who decides",
      path: ["identities"],
    }),
  );
type Values = z.infer<typeof schema>;

const bodyOf = ({ title, dueTime, reviewerRule, identities, asksMachineOwners, quarterly }: Values) => ({
  title: title.trim(),
  dueTime,
  reviewerRule: reviewerRule === NAMED ? (NAMED as typeof NAMED) : (OWNERS as typeof OWNERS),
  ...(reviewerRule === NAMED && { reviewerUids: identities }),
  asksMachineOwners,
  ...(quarterly && { repetition: "REVIEW_REPETITION_QUARTERLY" as const }),
});

interface NewReviewProps {
  readonly group: string;
  readonly groupName: string;
  /** Called with the uid of the new review. */
  readonly onStarted: (uid: string) => void;
  readonly onClose: () => void;
}

/** Starts a review of a group. */
export function NewReview({ group, groupName, onStarted, onClose }: NewReviewProps): ReactNode {
  const client = useQueryClient();
  const [start] = useState(() => ({ day: new Date().toISOString().slice(0, 10), due: inDays(14) }));
  const form = useResourceForm({
    schema,
    defaultValues: {
      title: `Access review of ${groupName}, ${start.day}`,
      dueTime: start.due,
      reviewerRule: OWNERS as string,
      identities: [] as string[],
      asksMachineOwners: true,
      quarterly: false,
    },
    fieldOf: (path) => path.replace("reviewerUids", "identities").replace("repetition", "quarterly"),
    draft: "new-review",
  });
  const rule = useWatch({ control: form.control, name: "reviewerRule" });
  const { reason } = useCan(createAccessReview, group);
  return (
    <FormDrawer
      title={
        <>
          Review access to <bdi>{groupName}</bdi>
        </>
      }
      submitLabel="Start review"
      savingLabel="Reading role bindings"
      opened
      form={form}
      disabled={reason}
      behind={
        <FormRequests
          form={form}
          requests={(values: Values) => [
            { endpoint: createAccessReview, path: { parent: group }, body: bodyOf(values) },
          ]}
        />
      }
      onClose={onClose}
      onSubmit={(values) =>
        callOnce(createAccessReview, { path: { parent: group }, body: bodyOf(values) }, crypto.randomUUID())
      }
      onSaved={({ uid }) => {
        for (const collection of ["accessReviews", "endings"])
          void client.invalidateQueries({ queryKey: [collection] });
        onClose();
        toast("Started access review");
        onStarted(uid);
      }}
    >
      <TextField name="title" label="Title" required />
      <DateTimeField
        name="dueTime"
        label="Due"
        required
        hint={`Reviewers are reminded 7 days and one day before, and when it is due: under “What ends soon”, and by mail if they get any from here. At most ${DUE_DAYS} days from now.`}
        presets={PRESETS}
      />
      <RadioCardsField
        name="reviewerRule"
        label="Who decides"
        required
        options={[
          {
            value: OWNERS,
            label: "Owners of each folder",
            hint: "Of the folder where a role was granted, or the nearest above. Never the person who has it.",
          },
          {
            value: NAMED,
            label: "People that you name",
            hint: "They have to be able to list and remove role bindings here.",
          },
        ]}
      />
      {rule === NAMED ? <WhoField label="People" organization={rootOf(group)} /> : null}
      <CheckboxField
        name="asksMachineOwners"
        label="Ask owners of machines about their machines"
        hint="They decide about these only, and get no access by it."
      />
      <CheckboxField
        name="quarterly"
        label="Start again every three months"
        hint="By itself, while you can list and remove role bindings here."
      />
    </FormDrawer>
  );
}
