import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";

import { parentOf, rootOf } from "platform-contract/aip";
import {
  EXCEPTION_DAYS,
  exceptionProblems,
  guardRails,
  type GuardRail,
  type GuardRailException,
} from "platform-contract/iam/guard-rails";
import { useUpdate } from "~/api/mutations/writes";
import { WhoField } from "~/domains/access/role-bindings/who-field";
import { JustificationField } from "~/frame/form/justification-field";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useCan } from "~/frame/permissions/use-can";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { toast } from "~/ui/feedback/toast-store";
import { formatQuantity } from "~/ui/display/numbers";
import { INCOMPLETE } from "~/ui/form/date-time";
import { DateTimeField } from "~/ui/form/date-time-field";
import { TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";
import { RadioCardsField } from "~/ui/form/radio-cards-field";
import { useResourceForm } from "~/ui/form/use-resource-form";

const PRESETS = [
  { label: "1 week", days: 7 },
  { label: "30 days", days: 30 },
  { label: "90 days", days: 90 },
];

/** Why an end can't be that of an exception. */
function endProblem(end: string): string | undefined {
  if (end === "" || end === INCOMPLETE) return "Enter a date and a time";
  const root = "0".repeat(40);
  const [problem] = exceptionProblems(
    [{ subject: root, expirationTime: end, reason: "" }],
    [],
    root,
    Date.now(),
  );
  return problem?.description;
}

const schema = z
  .object({
    kind: z.string(),
    identities: z.array(z.string()),
    parent: z.string(),
    expirationTime: z.string().check(
      z.refine((end) => endProblem(end) === undefined, {
        error: ({ input }) => endProblem(String(input)) ?? "",
      }),
    ),
    reason: z.string().check(z.refine((words) => words.trim() !== "", "Enter a reason")),
    justification: z.string(),
  })
  .check(
    z.refine(({ kind, identities }) => kind !== "identities" || identities.length > 0, {
      error: "Choose who is excepted",
      path: ["identities"],
    }),
    z.refine(({ kind, parent }) => kind !== "group" || parent !== "", {
      error: "Choose a folder",
      path: ["parent"],
    }),
  );
type Values = z.infer<typeof schema>;

const madeBy = ({ kind, identities, parent, expirationTime, reason }: Values): GuardRailException[] =>
  (kind === "group" ? [parent] : identities).map((subject) => ({
    subject,
    expirationTime,
    reason: reason.trim(),
  }));

interface ExceptFormProps {
  readonly rail: GuardRail;
  readonly onClose: () => void;
}

/** Excepts people, machines or a folder from a guard rail, until a time and for a reason. */
export function ExceptForm({ rail, onClose }: ExceptFormProps): ReactNode {
  const { uid, exceptions = [] } = rail;
  const form = useResourceForm({
    schema,
    defaultValues: {
      kind: "identities",
      identities: [] as string[],
      parent: parentOf(uid),
      expirationTime: "",
      reason: "",
      justification: "",
    },
    fieldOf: (path) => path.replace(/^exceptions\W\d+\W+/, ""),
    draft: "except",
  });
  const kind = useWatch({ control: form.control, name: "kind" });
  const update = useUpdate(guardRails);
  const { reason } = useCan(guardRails.update, uid);
  const bodyOf = (values: Values) => ({ exceptions: [...exceptions, ...madeBy(values)] });
  return (
    <FormDrawer
      title="Add exception"
      submitLabel="Add exception"
      savingLabel="Adding"
      opened
      form={form}
      disabled={reason}
      behind={
        <FormRequests
          form={form}
          requests={(values: Values) => [
            {
              endpoint: guardRails.update,
              path: { uid },
              query: { updateMask: "exceptions" },
              body: bodyOf(values),
              justification: values.justification,
            },
          ]}
        />
      }
      onClose={onClose}
      onSubmit={async (values) => {
        await update.mutateAsync({
          uid,
          opened: rail,
          mask: ["exceptions"],
          body: bodyOf(values),
          justification: values.justification,
        });
        return madeBy(values).length;
      }}
      onSaved={(count) => {
        onClose();
        toast(`Added ${formatQuantity(count, "exception", "exceptions")}`);
      }}
    >
      <RadioCardsField
        name="kind"
        label="For"
        required
        options={[
          { value: "identities", label: "People or machines", hint: "Access that they are given." },
          { value: "group", label: "A folder", hint: "Access given there and in the folders below." },
        ]}
      />
      {kind === "group" ? (
        <ParentGroupField scope={parentOf(uid)} />
      ) : (
        <WhoField organization={rootOf(uid)} />
      )}
      <DateTimeField
        name="expirationTime"
        label="Until when"
        required
        hint={`At most ${EXCEPTION_DAYS} days from now. Access given until then stays.`}
        presets={PRESETS}
      />
      <TextField name="reason" label="Reason for the exception" required hint="Shown with the exception." />
      <JustificationField />
    </FormDrawer>
  );
}
