import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { PlusIcon, XIcon } from "@primer/octicons-react";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useController } from "react-hook-form";

import type { Identity } from "~/contract/iam/identities";
import { BATCH_MAX } from "~/contract/iam/role-binding-batches";
import "~/ui/controls/button-styles";
import { IconButton } from "~/ui/controls/icon-button";
import { formatCount } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import fields from "~/ui/form/fields.module.css";
import { fieldParts, useFieldError } from "~/ui/form/use-field";

import { identityWords } from "./identity-words";
import { NotSignedInYet } from "./not-signed-in-yet";
import classes from "./styles.module.css";
import { useIdentities } from "./use-identities";
import { useIdentitySearch } from "./use-identity-search";

/** Who gets the role: the form's `identities`, a list of uids. `organization`: where machines are looked for, "" anywhere. */
export function WhoField({ organization }: { readonly organization: string }): ReactNode {
  const { field } = useController({ name: "identities" });
  const chosen = field.value as readonly string[];
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
    <div role="group" aria-labelledby={id} className={classes["who"]}>
      <span id={id} className={fields["label"]}>
        Who gets access <span className={fields["asterisk"]}>*</span>
      </span>
      {chosen.length > 0 ? (
        <ul className={classes["chosen"]} aria-label="Chosen">
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
        <p className={classes["quiet"]}>{BATCH_MAX} is the most that can be granted at once.</p>
      ) : (
        <Search
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
  /** Undefined while it is read, and for somebody who may not be seen because they have no role here yet. */
  readonly identity: Identity | undefined;
  readonly pending: boolean;
  readonly onRemove: () => void;
}

function Chosen({ uid, identity, pending, onRemove }: ChosenProps): ReactNode {
  const { name, note } = identityWords(uid, identity);
  const unseen = identity === undefined && !pending;
  return (
    <li>
      <span className={classes["identity"]}>
        <bdi>{name}</bdi>
        <span className={classes["note"]}>{unseen ? `no role here yet, uid ${uid}` : note}</span>
      </span>
      <IconButton label={`Remove ${name}`} tip="Remove" onClick={onRemove}>
        <XIcon size={16} />
      </IconButton>
    </li>
  );
}

interface SearchProps {
  readonly organization: string;
  readonly chosen: readonly string[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onAdd: (uid: string) => void;
  readonly invalid: boolean;
  readonly input: (element: HTMLInputElement | null) => void;
}

function Search({ organization, chosen, text, onText, onAdd, invalid, input }: SearchProps): ReactNode {
  const { found, cut, read, reading, further, error, retry } = useIdentitySearch(organization, text);
  const offered = found.filter(({ uid }) => !chosen.includes(uid));
  const [first] = offered;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter takes the first match, where it would else send the form.
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (first && text.trim() !== "") onAdd(first.uid);
  };
  return (
    <>
      <TextInput
        ref={input}
        type="search"
        aria-label="Find people and machines"
        aria-invalid={invalid || undefined}
        placeholder="Name, email, or subject"
        value={text}
        autoComplete="off"
        spellCheck={false}
        classNames={fieldParts}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error ? (
        <FailedPart title="Identities could not be loaded" error={error} onRetry={retry} />
      ) : (
        <ul className={classes["matches"]} aria-label="Matches">
          {offered.map((identity) => {
            const { name, note } = identityWords(identity.uid, identity);
            return (
              <li key={identity.uid}>
                <button type="button" className={classes["match"]} onClick={() => onAdd(identity.uid)}>
                  <PlusIcon size={16} />
                  <span className={classes["identity"]}>
                    <bdi>{name}</bdi>
                    <span className={classes["note"]}>{note}</span>
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <p role="status" className={classes["note"]}>
        {offered.length === 0 && !reading ? "No identity matches. " : ""}
        {reading && offered.length === 0 ? "Searching\u2026" : ""}
        {cut ? "More match: type more of the name." : ""}
        {further ? `${formatCount(read)} identities searched.` : ""}
      </p>
      {further ? (
        <div>
          <Button variant="default" onClick={further}>
            Search more
          </Button>
        </div>
      ) : null}
    </>
  );
}
