import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { BotIcon, PlusIcon, UserIcon } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";

import "~/ui/controls/button-styles";
import { formatCount } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { fieldParts } from "~/ui/form/field-parts";

import { isPerson } from "platform-contract/iam/people";
import { identityWords } from "./identity-words";
import choosing from "./choosing.module.css";
import classes from "./styles.module.css";
import { useIdentitySearch } from "./use-identity-search";

interface IdentitySearchProps {
  /** Where to search for machines; "" for everywhere. */
  readonly organization: string;
  /** uids to exclude from the matches. */
  readonly chosen: readonly string[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onAdd: (uid: string) => void;
  readonly invalid?: boolean;
  readonly input?: (element: HTMLInputElement | null) => void;
}

/** Finds people and machines by text, and reports the uid of the selected one. */
export function IdentitySearch(props: IdentitySearchProps): ReactNode {
  const { organization, chosen, text, onText, onAdd, invalid = false, input } = props;
  const { found, cut, read, reading, further, error, retry } = useIdentitySearch(organization, text);
  // With someone chosen, the form goes on below; the list returns as soon as something is typed.
  const idle = chosen.length > 0 && text.trim() === "";
  const offered = idle ? [] : found.filter(({ uid }) => !chosen.includes(uid));
  const [first] = offered;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter takes the first match instead of submitting the form.
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
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
        <FailedPart title="Identities couldn't be loaded" error={error} onRetry={retry} />
      ) : (
        <ul className={choosing["matches"]} aria-label="Matches">
          {offered.map((identity) => {
            const { name, note } = identityWords(identity.uid, identity);
            return (
              <li key={identity.uid}>
                <button type="button" className={choosing["match"]} onClick={() => onAdd(identity.uid)}>
                  {isPerson(identity.uid) ? <UserIcon size={16} /> : <BotIcon size={16} />}
                  <span className={choosing["identity"]}>
                    <bdi>{name}</bdi>
                    <span className={classes["note"]}>{note}</span>
                  </span>
                  <PlusIcon size={16} />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <p role="status" className={classes["note"]}>
        {offered.length === 0 && !reading && !idle ? "No matching identities. " : ""}
        {reading && offered.length === 0 && !idle ? "Searching\u2026" : ""}
        {cut && !idle ? "Showing the first few. Keep typing to narrow." : ""}
        {further && !idle ? `${formatCount(read)} identities searched.` : ""}
      </p>
      {further && !idle ? (
        <div>
          <Button variant="default" onClick={further}>
            Search more
          </Button>
        </div>
      ) : null}
    </>
  );
}
