import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { BotIcon, PlusIcon, UserIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";

import "~/ui/controls/button-styles";
import { soFarText } from "~/ui/display/so-far";
import { FailedPart } from "~/ui/feedback/failed-part";
import { fieldParts } from "~/ui/form/field-parts";
import { GroupsAbove } from "~/frame/scope/groups-above";
import { frameParts } from "~/frame/parts";
import { isPerson } from "~/frame/scope/people";
import { useUnseen } from "~/frame/scope/use-sight";
import { infinite, rowsOf } from "~/api/queries/queries";
import { isUid, PAGE_SIZE_MAX } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { contains } from "~/ui/contains";

import { identityWords } from "./identity-words";
import choosing from "./choosing.module.css";
import classes from "./styles.module.css";

/** Maximum number of matches to show, and of pages to read per list before the user asks for more. */
const SHOWN = 8;
const PAGES = 5;
/** Debounce in ms. */
const DEBOUNCE_MS = 250;

const keepAll = { maxPages: Infinity };
const machinesOf = (organization: string) =>
  infinite(
    identities.list,
    {
      ...(organization !== "" && { "uidp.descendants_of": organization }),
      order_by: "name",
      page_size: PAGE_SIZE_MAX,
    },
    keepAll,
  );
const people = infinite(
  identities.list,
  { "uidp.in_root": true, order_by: "name", page_size: PAGE_SIZE_MAX },
  keepAll,
);
/** Requests the identity with this uid, or those with exactly this name. */
const exactly = (organization: string, text: string) =>
  infinite(identities.list, {
    ...(isUid(text)
      ? { "uidp.ids": [text] }
      : { ...(organization !== "" && { "uidp.descendants_of": organization }), name: text }),
    page_size: SHOWN,
  });

const matches = (identity: Identity, text: string): boolean => {
  const { uid, name, email, emailUnverified, description, claimMatch, staticKeys } = identity;
  const subject = claimMatch?.subject ?? staticKeys?.subject;
  return contains(text, [uid, name, email, emailUnverified, description, subject]);
};

/**
 * Finds identities of an organization whose name, email, description, subject or uid contains a text. The API has no
 * such filter, so this reads both lists page by page, each page only once for all queries, until enough match. Requests
 * an exact name directly, since it can be thousands of pages away.
 */
function useIdentitySearch(organization: string, typed: string, onlyPeople: boolean) {
  const text = typed.trim();
  // Debounces the request for the exact name.
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const [pages, setPages] = useState(PAGES);
  const machines = useInfiniteQuery({ ...machinesOf(organization), enabled: !onlyPeople });
  const lists = [useInfiniteQuery(people), ...(onlyPeople ? [] : [machines])];
  const exact = useInfiniteQuery({
    ...exactly(organization, settled.toLowerCase()),
    enabled: settled.length > 2 && lists.some((list) => list.hasNextPage),
  });
  const read = lists.flatMap(({ data }) => rowsOf(data).rows);
  const all = new Map([...rowsOf(exact.data).rows, ...read].map((identity) => [identity.uid, identity]));
  const found = [...all.values()].filter(
    (identity) => matches(identity, text) && (!onlyPeople || isPerson(identity.uid)),
  );
  const enough = found.length >= SHOWN;
  const next = lists.find(
    ({ data, hasNextPage, isFetching, isError }) =>
      hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < pages,
  );
  useEffect(() => {
    if (text !== "" && !enough) void next?.fetchNextPage();
  });
  const failed = lists.find(({ isError }) => isError);
  return {
    found: found.slice(0, SHOWN),
    /** True if there are more matches than shown. */
    cut: found.length > SHOWN,
    read: read.length,
    reading: lists.some(({ isFetching }) => isFetching),
    /** Continues a search that stopped before it read everything. */
    further:
      !enough && !next && lists.some(({ hasNextPage }) => hasNextPage)
        ? () => setPages((now) => now + PAGES)
        : undefined,
    error: failed?.error,
    retry: () => void failed?.refetch(),
  };
}

interface IdentitySearchProps {
  /** Without machines. */
  readonly people?: boolean;
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
  const onlyPeople = props.people === true;
  const { found, cut, read, reading, further, error, retry } = useIdentitySearch(
    organization,
    text,
    onlyPeople,
  );
  // With someone chosen, the form goes on below; the list returns as soon as something is typed.
  const unseen = useUnseen(identities.list, "identities", organization === "" ? undefined : organization);
  const { PastedHint } = frameParts();
  const idle = chosen.length > 0 && text.trim() === "";
  const offered = idle ? [] : found.filter(({ uid }) => !chosen.includes(uid));
  const none = offered.length === 0 && !reading && !idle && !further;
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
        aria-label={onlyPeople ? "Find people" : "Find people and machines"}
        aria-invalid={invalid || undefined}
        placeholder={onlyPeople ? "Name or email" : "Name, email, or subject"}
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
                    <span className={classes["note"]}>
                      {note}
                      {isPerson(identity.uid) ? null : (
                        <>
                          {" "}
                          in <GroupsAbove uid={identity.uid} />
                        </>
                      )}
                    </span>
                  </span>
                  <PlusIcon size={16} />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <p role="status" className={classes["note"]}>
        {none
          ? `${/\s/.test(text.trim()) ? "No identity matches all of this text." : `No matching ${onlyPeople ? "people" : "identities"}.`} ${unseen ?? ""}`
          : ""}
        {reading && offered.length === 0 && !idle ? "Searching\u2026" : ""}
        {cut && !idle ? "Showing the first few. Keep typing to narrow." : ""}
        {further && !idle
          ? `${soFarText({ found: found.length, read, what: "identities", unread: "others" })}.`
          : ""}
      </p>
      {none && text.trim() !== "" && PastedHint ? <PastedHint text={text} /> : null}
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
