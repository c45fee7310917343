import { XIcon } from "lucide-react";
import { useId, useRef, useState, type ReactNode, type KeyboardEvent } from "react";
import { useController } from "react-hook-form";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";

import type { Identity } from "platform-contract/iam/identities";
import { BATCH_MAX } from "platform-contract/iam/role-binding-batches";
import { IconButton } from "~/ui/controls/icon-button";
import fields from "~/ui/form/fields.module.css";
import { useFieldError } from "~/ui/form/use-field";
import { IdentitySearch } from "~/domains/access/grants/identity-search";
import { identityWords } from "~/domains/access/grants/identity-words";
import choosing from "~/domains/access/grants/choosing.module.css";
import classes from "~/domains/access/grants/styles.module.css";
import { useIdentities } from "~/domains/access/grants/use-identities";
import { call } from "~/api/client/client";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { usePerson } from "~/auth/use-session";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Disclosure } from "~/ui/form/disclosure";
import { fieldParts } from "~/ui/form/field-parts";

/** Finds a person by the issuer and subject of their tokens, so that they can get a role before they first sign in. */
function NotSignedInYet({ onFound }: { readonly onFound: (uid: string) => void }): ReactNode {
  const [issuer, setIssuer] = useState(usePerson().issuer);
  const [subject, setSubject] = useState("");
  const lookup = useMutation({
    mutationFn: () => call(lookupIdentity, { query: { issuer: issuer.trim(), subject: subject.trim() } }),
    onSuccess: ({ uid }) => {
      setSubject("");
      onFound(uid);
    },
  });
  const reason = issuer.trim() === "" || subject.trim() === "" ? "Enter issuer and subject" : undefined;
  const add = () => {
    if (reason === undefined && !lookup.isPending) lookup.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  const shared = { autoComplete: "off", spellCheck: false, classNames: fieldParts, onKeyDown };
  return (
    <Disclosure title="Add by issuer and subject">
      <TextInput
        {...shared}
        label="Issuer"
        value={issuer}
        onChange={(event) => setIssuer(event.currentTarget.value)}
      />
      <TextInput
        {...shared}
        label="Subject"
        description="As shown on their “No access yet” page, or in the sub claim of their tokens."
        value={subject}
        error={lookup.error?.message}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <div>
        <DisabledReason reason={reason}>
          <Button variant="default" onClick={add}>
            Add person
          </Button>
        </DisabledReason>
      </div>
    </Disclosure>
  );
}

interface WhoFieldProps {
  readonly label?: string;
  /** Where to search for machines; "" for everywhere. */
  readonly organization: string;
}

/** Edits the form's `identities`, a list of uids. */
export function WhoField({ label = "People and machines", organization }: WhoFieldProps): ReactNode {
  const { field } = useController({ name: "identities" });
  const chosen: readonly string[] = field.value;
  const error = useFieldError("identities");
  const search = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const id = useId();
  const { known, pending } = useIdentities(chosen);
  const full = chosen.length >= BATCH_MAX;
  const add = (uid: string) => {
    if (!chosen.includes(uid)) field.onChange([...chosen, uid]);
    setText("");
    search.current?.focus();
  };
  const remove = (uid: string) => {
    field.onChange(chosen.filter((each) => each !== uid));
    search.current?.focus();
  };
  return (
    <div role="group" aria-labelledby={id} className={choosing["who"]}>
      <span id={id} className={fields["label"]}>
        {label}{" "}
        <span className={fields["asterisk"]} aria-hidden="true">
          *
        </span>
      </span>
      {chosen.length > 0 ? (
        <ul className={choosing["chosen"]} aria-label="Chosen">
          {chosen.map((uid) => (
            <Chosen
              key={uid}
              uid={uid}
              identity={known.get(uid)}
              pending={pending}
              onRemove={() => remove(uid)}
            />
          ))}
        </ul>
      ) : null}
      {full ? (
        <p className={classes["quiet"]}>You can grant access to up to {BATCH_MAX} identities at a time.</p>
      ) : (
        <IdentitySearch
          organization={organization}
          chosen={chosen}
          text={text}
          onText={setText}
          onAdd={add}
          invalid={error !== undefined}
          input={(element) => {
            search.current = element;
            field.ref(element);
          }}
        />
      )}
      {error ? <div className={fields["message"]}>{error}</div> : null}
      {full ? null : <NotSignedInYet onFound={add} />}
    </div>
  );
}

interface ChosenProps {
  readonly uid: string;
  /** Undefined while loading, and for a person who is not visible because they have no role here yet. */
  readonly identity: Identity | undefined;
  readonly pending: boolean;
  readonly onRemove: () => void;
}

function Chosen({ uid, identity, pending, onRemove }: ChosenProps): ReactNode {
  const { name, note } = identityWords(uid, identity);
  const unseen = identity === undefined && !pending;
  return (
    <li>
      <span className={choosing["identity"]}>
        <bdi>{name}</bdi>
        <span className={classes["note"]}>{unseen ? `no role here yet, uid ${uid}` : note}</span>
      </span>
      <IconButton label={`Remove ${name}`} tip="Remove" onClick={onRemove}>
        <XIcon size={16} />
      </IconButton>
    </li>
  );
}
