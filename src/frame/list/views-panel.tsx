import { Button } from "@mantine/core";
import { useRouter, useSearch } from "@tanstack/react-router";
import { LinkIcon, PencilIcon, Trash2Icon } from "lucide-react";
import { useId, useRef, useState, type FormEvent, type ReactNode, type RefObject } from "react";

import "~/ui/controls/button-styles";
import { IconButton } from "~/ui/controls/icon-button";
import { copyText } from "~/ui/display/copy-text";
import { announce } from "~/ui/feedback/announcer";
import { plainField } from "~/ui/form/plain-field";
import { AppLink } from "~/ui/layout/link";
import { PopoverPanel } from "~/ui/overlay/popover-panel";
import { readPreference, writePreference } from "~/ui/preferences";
import { keptAs } from "~/ui/table/column-choice";

import {
  deleteView,
  isShown,
  NAME_MAX,
  nameProblem,
  readViews,
  renameView,
  saveView,
  searchOf,
  type SavedView,
} from "./saved-views";
import classes from "./views-panel.module.css";

export interface ViewsPanelProps {
  /** Label of the table: its views and its columns are stored under it. */
  readonly list: string;
  /** id of the panel. */
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The saved views of a list: opens, renames, links and deletes them, and saves the current one. */
export function ViewsPanel({ list, id, button, onClose }: ViewsPanelProps): ReactNode {
  const [views, setViews] = useState(() => readViews(list));
  const [renaming, setRenaming] = useState<string>();
  const address = searchOf(useSearch({ strict: false, structuralSharing: false }));
  const panel = useRef<HTMLDivElement>(null);
  // The pressed button unmounts and would lose the focus.
  const keepFocus = () => panel.current?.focus();
  const remove = ({ name }: SavedView) => {
    keepFocus();
    setViews(deleteView(list, name));
    announce(`Deleted view ${name}`);
  };
  const rename = (from: string, to: string) => {
    keepFocus();
    setViews(renameView(list, from, to));
    setRenaming(undefined);
  };
  const save = (name: string) => {
    keepFocus();
    setViews(saveView(list, { name, search: address, columns: readPreference(keptAs(list)) ?? undefined }));
    announce(`Saved view ${name}`);
  };
  return (
    <PopoverPanel
      id={id}
      label="Views"
      button={button}
      side="end"
      width="min(22rem, calc(100vw - 1rem))"
      onClose={onClose}
    >
      <div ref={panel} tabIndex={-1} className={classes["panel"]}>
        <h2 className={classes["title"]}>Saved views</h2>
        {views.length === 0 ? (
          <p className={classes["note"]}>Save the current filters, order, and columns under a name.</p>
        ) : (
          <ul className={classes["views"]} aria-label="Saved views">
            {views.map((view) => (
              <li key={view.name} className={classes["view"]}>
                {renaming === view.name ? (
                  <NameForm
                    label={`New name for ${view.name}`}
                    action="Rename"
                    value={view.name}
                    problemOf={(name) => nameProblem(views, name, view.name)}
                    onSubmit={(name) => rename(view.name, name)}
                  />
                ) : (
                  <View
                    list={list}
                    view={view}
                    shown={isShown(view, address)}
                    onOpen={onClose}
                    onRename={() => setRenaming(view.name)}
                    onDelete={() => remove(view)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        <NameForm
          key={views.length}
          label="New view name"
          action="Save view"
          value=""
          problemOf={(name) => nameProblem(views, name)}
          onSubmit={save}
        />
      </div>
    </PopoverPanel>
  );
}

interface ViewProps {
  readonly list: string;
  readonly view: SavedView;
  /** The address shows it. */
  readonly shown: boolean;
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function View({ list, view, shown, onOpen, onRename, onDelete }: ViewProps): ReactNode {
  const { name, search, columns } = view;
  const { options } = useRouter();
  const copy = () => {
    const link = new URL(location.href);
    link.search = options.stringifySearch?.(search) ?? "";
    link.hash = "";
    void copyText(link.href, "link");
  };
  return (
    <>
      <AppLink
        // A view without a scope shows all groups.
        target={{ to: ".", search: { group: undefined, ...search } }}
        className={classes["link"]}
        data-tip-overflow=""
        aria-current={shown ? "page" : undefined}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          writePreference(keptAs(list), columns ?? null);
          onOpen();
        }}
      >
        <bdi>{name}</bdi>
      </AppLink>
      <IconButton label={`Rename ${name}`} tip="Rename" onClick={onRename}>
        <PencilIcon size={16} />
      </IconButton>
      <IconButton label={`Copy link to ${name}`} tip="Copy link" onClick={copy}>
        <LinkIcon size={16} />
      </IconButton>
      <IconButton label={`Delete ${name}`} tip="Delete" onClick={onDelete}>
        <Trash2Icon size={16} />
      </IconButton>
    </>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly action: string;
  readonly value: string;
  readonly problemOf: (name: string) => string | undefined;
  readonly onSubmit: (name: string) => void;
}

function NameForm({ label, action, value, problemOf, onSubmit }: NameFormProps): ReactNode {
  const [name, setName] = useState(value);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = problemOf(name);
    setProblem(wrong);
    if (wrong === undefined) onSubmit(name.trim());
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <input
        type="text"
        className={`${plainField} ${classes["name"]}`}
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        placeholder="Name"
        value={name}
        maxLength={NAME_MAX}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- someone has pressed "Rename"
        autoFocus={value !== ""}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {action}
      </Button>
      {problem === undefined ? null : (
        <p id={id} role="alert" className={classes["problem"]}>
          {problem}
        </p>
      )}
    </form>
  );
}
