import { useRouter, type NavigateOptions } from "@tanstack/react-router";
import { SearchIcon } from "lucide-react";
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import { useUnseen } from "~/frame/scope/use-sight";
import { groups } from "platform-contract/iam/groups";
import { formatCount } from "~/ui/display/numbers";
import { errorFacts } from "~/ui/feedback/error-facts";
import { useLatest } from "~/ui/use-latest";

import { scanText } from "./name-scan";
import type { Entry } from "./entries";
import { typedAhead } from "./opened";
import styles from "./palette.module.css";
import { Options } from "./palette-options";
import { useResults } from "./use-results";

/** The keys of the palette, for who has a keyboard; a screen reader says them by the roles. */
const PaletteKeys = (): ReactNode => (
  <span className={styles["keys"]} aria-hidden="true">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> to move
    </span>
    <span>
      <kbd>Enter</kbd> to open
    </span>
    <span>
      <kbd>Esc</kbd> to close
    </span>
  </span>
);

/** True for entries that come first only while there is no better match, or that lack what is being searched. */
const isVague = ({ id }: Entry): boolean => /^(?:scope|scan|meant|unsure)/.test(id);

/**
 * Searches screens, actions, scopes, and records for typed or pasted text (ARIA Authoring Practices, "Combobox" with a
 * list). Tracks the active option by id, so that later results never move it.
 */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const router = useRouter();
  const palette = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  const [typed, setTyped] = useState(typedAhead);
  const [chosen, setChosen] = useState<string>();
  const [entered, setEntered] = useState<string>();
  const { sections, filled, located, searching, error, retry, scan } = useResults(typed);
  const unseen = useUnseen(groups.list, "records", undefined);
  // Over the page, but not modal: to make a page inert, the browser computes the styles of all of it.
  useLayoutEffect(() => {
    opener.current ??= document.activeElement;
    if (!palette.current?.matches(":popover-open")) palette.current?.showPopover();
    palette.current?.querySelector("input")?.focus();
  }, []);

  const leave = (): void => {
    // At once: what is chosen can open a dialog, which returns the focus there.
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    onClose();
  };
  const press = useLatest((target: EventTarget | null) => {
    if (target instanceof Node && !palette.current?.contains(target)) leave();
  });
  useLayoutEffect(() => {
    const onPress = ({ target }: Event) => press.current(target);
    document.addEventListener("pointerdown", onPress, { capture: true });
    return () => document.removeEventListener("pointerdown", onPress, { capture: true });
  }, [press]);
  /** Tab leads on to the page, and closes. */
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) onClose();
  };
  const entries = sections.flatMap((each) => each.entries);
  const active = entries.find((entry) => entry.id === chosen) ?? entries[0];
  const optionId = (entry: Entry): string => `${id}${entry.id}`.replaceAll(/\s/g, "_");

  const choose = (entry: Entry): void => {
    if (entry.id === "scan") return scan.start();
    if (!entry.link && !entry.run) return;
    leave();
    if (entry.link) void router.navigate(entry.link as NavigateOptions);
    else entry.run?.();
  };
  const latest = useLatest(choose);
  const onChoose = useCallback((entry: Entry) => latest.current(entry), [latest]);
  // Enter pressed before the response opens the first record found.
  const awaited = entered === typed && !searching && active && !isVague(active) ? active : undefined;
  useEffect(() => {
    if (awaited) choose(awaited);
  });
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, nativeEvent } = event;
    if (nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) {
      event.preventDefault();
      const at = active ? entries.indexOf(active) : -1;
      setChosen(entries.at((at + step) % entries.length)?.id);
    } else if (key === "Enter") {
      event.preventDefault();
      if (active && !(searching && chosen === undefined && isVague(active))) choose(active);
      else setEntered(typed);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, nativeEvent } = event;
    if (nativeEvent.isComposing || (key !== "Escape" && !(key === "k" && (ctrlKey || metaKey)))) return;
    event.preventDefault();
    leave();
  };
  const count = entries.filter((entry) => entry.id !== "scan").length;
  const results = count === 1 ? "1 result" : `${formatCount(count)} results`;
  const status = scan.progress
    ? scanText(scan.progress)
    : searching
      ? `${results}, searching\u2026`
      : results;
  return (
    <div
      ref={palette}
      popover="manual"
      role="dialog"
      aria-label="Search"
      tabIndex={-1}
      data-palette=""
      className={styles["palette"]}
      onKeyDown={onKey}
      onBlur={onBlur}
    >
      <div className={styles["content"]}>
        <div className={styles["head"]}>
          <SearchIcon size={16} />
          <input
            type="text"
            role="combobox"
            aria-label="Search screens, actions, and records"
            aria-autocomplete="list"
            aria-expanded={entries.length > 0}
            aria-controls={entries.length > 0 ? id : undefined}
            aria-activedescendant={active && optionId(active)}
            className={styles["field"]}
            placeholder="Action, screen, name, uid, digest, image, or CVE"
            value={typed}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
              setChosen(undefined);
              setEntered(undefined);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        {/* Not a stop of Tab, as a browser makes what scrolls: the arrow keys scroll it. */}
        <div tabIndex={-1} className={styles["body"]}>
          <div role="status" className={styles["notes"]}>
            {located?.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
            {scan.progress?.state === "done" && scan.progress.found.length === 0 && unseen ? (
              <p>{unseen}</p>
            ) : null}
            {error ? (
              <p>
                Search failed: {errorFacts(error).message}{" "}
                <button type="button" className={styles["button"]} onClick={retry}>
                  Try again
                </button>
              </p>
            ) : null}
          </div>
          {entries.length > 0 ? (
            <div role="listbox" id={id} aria-label="Results">
              {sections.map(({ heading, entries: inSection }, index) => (
                <Options
                  // Not by what is in it, which each letter changes: it would all be drawn again.
                  key={`${heading} ${sections.slice(0, index).filter((one) => one.heading === heading).length}`}
                  heading={heading}
                  entries={inSection}
                  active={active}
                  optionId={optionId}
                  onPoint={setChosen}
                  onChoose={onChoose}
                />
              ))}
            </div>
          ) : null}
        </div>
        <div className={styles["foot"]}>
          <span role="status">{filled ? status : null}</span>
          {scan.progress?.state === "reading" ? null : <PaletteKeys />}
          {scan.progress?.state === "reading" ? (
            <button type="button" className={styles["button"]} onClick={scan.stop}>
              Stop
            </button>
          ) : null}
        </div>
      </div>
    </div>
  );
}
