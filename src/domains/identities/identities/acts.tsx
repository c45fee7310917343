import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { identities, type Identity } from "platform-contract/iam/identities";
import { BATCH_MAX } from "platform-contract/iam/role-binding-batches";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { webAddressProblem } from "platform-contract/web-address";
import { ActButton } from "~/frame/bulk-delete/act-button";
import { ConfirmChange } from "~/frame/bulk-delete/confirm-change";
import type { ActsProps } from "~/frame/bulk-delete/use-selectable";
import { useScope } from "~/frame/scope/scope";
import { formatCount } from "~/ui/display/numbers";
import { fieldParts } from "~/ui/form/field-parts";
import { onDemand } from "~/ui/on-demand";

import { loadDrawers } from "~/domains/access/role-bindings/data";
import { fixedIssuer, issuerChange, issuerOf } from "./change-issuer";
import { identityScreens } from "./data";
import { IssuerNote } from "./issuer-note";

const GrantForm = onDemand(async () => (await loadDrawers()).GrantForm);

/** What can be done with selected identities besides deleting them. */
export function IdentityActs(selected: ActsProps<Identity>): ReactNode {
  const { records } = selected;
  const { group } = useScope();
  const refusal = useRefusal();
  const reason =
    records.length > BATCH_MAX
      ? `You can grant access to up to ${BATCH_MAX} identities at a time`
      : refusal(roleBindings.create, group);
  return (
    <>
      <ActButton
        {...selected}
        reason={reason}
        dialog={({ onClose }) => (
          <GrantForm scope={group} identities={records.map(({ uid }) => uid)} onClose={onClose} />
        )}
      >
        Grant access
      </ActButton>
      <ActButton {...selected} dialog={(ends) => <ChangeIssuer records={records} {...ends} />}>
        Change issuer
      </ActButton>
    </>
  );
}

interface ChangeIssuerProps extends ActsProps<Identity> {
  readonly onClose: () => void;
}

/** For a CI system or a cluster that has moved to another address: the rest of each rule stays. */
function ChangeIssuer({ records, onClose, onStarted }: ChangeIssuerProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [left, setLeft] = useState(false);
  const refusal = useRefusal();
  const issuer = typed.trim();
  const problem = webAddressProblem(issuer, { http: "anywhere" });
  const sentence = `Use an https:// address${problem ? ` ${problem}` : ""}`;
  const now = new Map<string, number>();
  for (const record of records) {
    const from = issuerOf(record);
    if (from !== undefined) now.set(from, (now.get(from) ?? 0) + 1);
  }
  return (
    <ConfirmChange
      resource={identities}
      many={identityScreens.resource.plural}
      words={{
        title: "Change issuer of",
        button: "Change",
        refused: "won't change",
        missing: issuer === "" ? "Enter the new issuer" : problem === undefined ? undefined : sentence,
      }}
      records={records}
      refusal={(identity) =>
        identityScreens.locked(identity) ??
        fixedIssuer(identity, issuer) ??
        refusal(identities.update, identity.uid)
      }
      changeOf={(identity) => issuerChange(identity, issuer)}
      consequence="Tokens of the old issuer are rejected immediately. The rest of each rule stays the same."
      changesAccess
      onClose={onClose}
      onStarted={onStarted}
    >
      <p>
        Now:{" "}
        {[...now].map(([from, count], index) => (
          <span key={from}>
            {index > 0 ? ", " : ""}
            <code dir="ltr">{from}</code> ({formatCount(count)})
          </span>
        ))}
      </p>
      <TextInput
        label="New issuer"
        description="As tokens state it in iss."
        error={left && issuer !== "" && problem !== undefined ? sentence : undefined}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => setLeft(true)}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        classNames={fieldParts}
      />
      {problem === undefined ? <IssuerNote issuer={issuer} /> : null}
    </ConfirmChange>
  );
}
