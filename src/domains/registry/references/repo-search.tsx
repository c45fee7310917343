import { Button } from "@mantine/core";
import { PlusIcon } from "lucide-react";
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { ancestorsWithNames } from "~/frame/scope/ancestors";
import { GroupPath } from "~/frame/scope/group-path";
import { EVERYWHERE, useScope } from "~/frame/scope/scope";
import { useUnseen } from "~/frame/scope/use-sight";
import { useAncestorNames } from "~/frame/scope/use-ancestor-names";
import { repos } from "platform-contract/registry/repos";
import "~/ui/controls/button-styles";
import { FailedPart } from "~/ui/feedback/failed-part";
import { soFarText } from "~/ui/display/so-far";
import { plainField } from "~/ui/form/plain-field";

import classes from "./repo-search.module.css";
import { useRepoSearch } from "./use-repo-search";

interface RepoSearchProps {
  readonly label: string;
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly chosen: readonly string[];
  /** Looks beyond the scope, too. */
  readonly everywhere?: boolean;
  readonly onAdd: (repo: string) => void;
}

/** Finds repos of the scope, or everywhere, by part of their name. Offers the first ones immediately if none is chosen. */
export function RepoSearch({ label, ref, chosen, everywhere = false, onAdd }: RepoSearchProps): ReactNode {
  const id = useId();
  const [text, setText] = useState("");
  const scope = useScope();
  const within = everywhere ? EVERYWHERE : scope;
  const { found, more, reading, none, read, further, error, retry } = useRepoSearch(text, chosen, within);
  const names = useAncestorNames(found);
  const unseen = useUnseen(repos.list, "repos", within.group);
  const place = everywhere ? "" : " in this scope";
  const offered = text.trim() !== "" || chosen.length === 0;
  const add = (repo: string) => {
    setText("");
    setEntered(undefined);
    onAdd(repo);
    ref.current?.focus();
  };
  // Enter pressed before the names have loaded selects the first match once they have.
  const [entered, setEntered] = useState<string>();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || text.trim() === "") return;
    event.preventDefault();
    setEntered(text);
  };
  const [match] = entered === text ? found : [];
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- Enter takes effect when the matches arrive
    if (match) add(match.uid);
  });
  return (
    <div className={classes["search"]}>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        type="search"
        className={plainField}
        placeholder="Repo name"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error ? (
        <FailedPart title="Repos couldn't be loaded" error={error} onRetry={retry} />
      ) : offered ? (
        <ul className={classes["matches"]} aria-label="Matching repos">
          {found.map(({ uid, name }) => (
            <li key={uid}>
              <button type="button" className={classes["match"]} onClick={() => add(uid)}>
                <PlusIcon size={16} />
                <bdi>{name}</bdi>
              </button>
              <GroupPath places={ancestorsWithNames(uid, names)} below={within.group} oneLine />
            </li>
          ))}
          {found.length > 0 && more ? <li className={classes["quiet"]}>More repos match.</li> : null}
          {found.length === 0 ? (
            <li className={classes["quiet"]}>
              {reading
                ? "Loading…"
                : further
                  ? `${soFarText({ found: 0, read, what: "repos", unread: "others" })}.`
                  : none
                    ? `No repos that you can see${place}. ${unseen ?? ""}`
                    : `No matching repos${place}. ${unseen ?? ""}`}
            </li>
          ) : null}
          {further ? (
            <li>
              <Button variant="default" onClick={further}>
                Search more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}
