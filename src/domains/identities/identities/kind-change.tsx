import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";

import type { Identity } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Counted } from "~/frame/record/delete-record";
import { useCount } from "~/frame/record/use-count";
import { Notice } from "~/ui/feedback/notice";
import { SelectField } from "~/ui/form/fields";

import { fromIdentity, memberOf, type FormKind, type IdentityValues } from "./values";

interface KindChangeProps {
  readonly identity: Identity;
  readonly types: readonly { readonly value: FormKind; readonly label: string }[];
}

/** Changes how an existing identity signs in, and shows the consequences. */
export function KindChange({ identity, types }: KindChangeProps): ReactNode {
  const [kind, preset] = useWatch({ name: ["kind", "preset"] }) as [FormKind, IdentityValues["preset"]];
  const before = fromIdentity(identity);
  // Changing the type would lose a rule that only a newer service knows.
  if (before.kind === "other") return null;
  const label = (value: FormKind) => types.find((each) => each.value === value)?.label ?? value;
  return (
    <>
      <SelectField name="kind" label="Type" options={types} />
      {memberOf({ kind, preset }) === memberOf(before) ? null : (
        <Changed identity={identity} from={label(before.kind)} to={label(kind)} />
      )}
    </>
  );
}

function Changed({ identity, from, to }: { identity: Identity; from: string; to: string }): ReactNode {
  const bindings = useCount(roleBindings.list, { identity: identity.uid }, identity.uid);
  return (
    <>
      <Notice tone="warning" title={`Type changes from ${from} to ${to}`}>
        Workloads that sign in with the current rule lose access as soon as you save. The rule isn't kept.
        {identity.staticKeys ? " Its public keys are removed too." : ""}
      </Notice>
      <Counted
        {...bindings}
        what="role bindings"
        one="role binding stays and applies to any workload that matches the new rule"
        many="role bindings stay and apply to any workload that matches the new rule"
        none="It has no roles."
      />
    </>
  );
}
