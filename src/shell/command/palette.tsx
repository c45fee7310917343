import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, type NavigateOptions } from "@tanstack/react-router";
import { SearchIcon } from "lucide-react";
import {
  startTransition,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import type { ScanProgress } from "~/features/command-palette/name-scan";
import { forgetVisits, recentVisits } from "~/features/command-palette/recent";
import { readGone } from "~/features/command-palette/still-there";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { errorFacts } from "~/ui/feedback/error-facts";

import { useScopeLink } from "../links";
import { painted } from "../painted";
import { useRecord } from "../use-current";
import { useGlobalActions } from "./actions";
import {
  foundSections,
  offeredAtOnce,
  readAtHand,
  recordEntry,
  withoutRepeats,
  type Entry,
  type Section,
} from "./entries";
import styles from "./palette.module.css";
import { PaletteKeys } from "./palette-keys";
import { useNameScan, useSearch } from "./use-search";

/** The status text of a scan. */
function scanText({ state, found, read, at }: ScanProgress): string {
  const said = `${formatQuantity(found.length, "match", "matches")} in ${formatQuantity(read, "record", "records")}`;
  if (state === "reading") return `${said} so far, reading ${at}\u2026`;
  if (state === "full") return "Showing the first few. Keep typing to narrow.";
  return state === "done" ? said : `${said}, ${state} at ${at}`;
}

/** True while a scan reads, and once it has read everything. */
const isWhole = (progress: ScanProgress | undefined): boolean =>
  progress?.state === "reading" || progress?.state === "done";

/** True for entries that come first only while there is no better match. */
const isVague = ({ id }: Entry): boolean => /^(?:scope|scan)/.test(id);

/** Recent records that no longer exist or are out of sight, by the ids of their entries; asked when it opens. */
function useGone(): ReadonlySet<string> {
  const [visits] = useState(recentVisits);
  const { data } = useQuery({
    queryKey: ["command-palette", "recent", visits],
    queryFn: async ({ signal }) => {
      const gone = await readGone(visits, signal);
      forgetVisits(gone);
      return gone;
    },
    enabled: visits.length > 0,
    gcTime: 0,
  });
  return new Set(data?.map(({ collection, uid }) => `recent ${collection} ${uid}`));
}

/**
 * Searches screens, actions, scopes, and records for typed or pasted text (ARIA Authoring Practices, "Combobox" with a
 * list). Tracks the active option by id, so that later results never move it.
 */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const client = useQueryClient();
  const router = useRouter();
  const linkTo = useScopeLink();
  const shown = useRecord()?.uid;
  const dialog = useRef<HTMLDialogElement>(null);
  // Read once on opening: it depends on the element focused at that time.
  const everywhere = useGlobalActions();
  const [read] = useState(() => readAtHand(client, linkTo, shown, router.options.context.config, everywhere));
  const gone = useGone();
  const atHand = { ...read, recent: read.recent.filter(({ id: of }) => !gone.has(of)) };
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [entered, setEntered] = useState<string>();
  const { pasted, located, searching, error, retry } = useSearch(typed);
  const offered = offeredAtOnce(typed, pasted, atHand);
  // By itself only where nothing else answers; a single letter is in most names.
  const isLost = offered.every(({ heading }) => heading === "Recent") && located?.found.length === 0;
  const scan = useNameScan(typed, pasted.is === "name" && typed.trim().length > 1 && isLost);
  // The field opens at once; its options follow in the next frame.
  const [filled, setFilled] = useState(false);
  useEffect(() => {
    void painted().then(() => startTransition(() => setFilled(true)));
  }, []);
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);

  const leave = (): void => {
    // The browser returns the focus to where it was.
    dialog.current?.close();
    onClose();
  };
  const part: Section[] =
    pasted.is === "name" || pasted.is === "uid part" || pasted.is === "vulnerability part"
      ? [
          {
            heading: "Part of a name",
            entries: [
              ...(scan.progress?.found ?? []).map((found) => recordEntry("part", found)),
              ...(isWhole(scan.progress)
                ? []
                : [
                    {
                      id: "scan",
                      label: scan.progress
                        ? `Read on for names that contain \u201c${typed.trim()}\u201d`
                        : `Find names that contain \u201c${typed.trim()}\u201d`,
                      icon: SearchIcon,
                      run: scan.start,
                    },
                  ]),
            ],
          },
        ]
      : [];
  const page: Section[] =
    pasted.is === "page"
      ? [
          {
            heading: "Go to",
            entries: [
              {
                id: "page",
                label: "Open this page",
                detail: pasted.path,
                icon: SearchIcon,
                run: () => router.history.push(`${router.basepath.replace(/\/$/, "")}/${pasted.path}`),
              },
            ],
          },
        ]
      : [];
  const found = foundSections(typed, located, atHand, linkTo);
  const sections = filled
    ? withoutRepeats([
        ...page,
        // The record that an error is about comes before what helps in general.
        ...(pasted.is === "error" ? [...found, ...offered] : [...offered, ...found]),
        ...part,
      ])
    : [];
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
  // Enter pressed before the response opens the first record found.
  const awaited = entered === typed && !searching && active && !isVague(active) ? active : undefined;
  useEffect(() => {
    if (awaited) choose(awaited);
  });
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const { key, ctrlKey, metaKey, nativeEvent } = event;
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
    } else if (key === "Escape" || (key === "k" && (ctrlKey || metaKey))) {
      // Close synchronously: the browser's close event comes later, possibly after the palette was reopened.
      event.preventDefault();
      leave();
    }
  };
  const count = entries.filter((entry) => entry.id !== "scan").length;
  const results = count === 1 ? "1 result" : `${formatCount(count)} results`;
  const status = scan.progress
    ? scanText(scan.progress)
    : searching
      ? `${results}, searching\u2026`
      : results;
  return (
    <dialog
      ref={dialog}
      aria-label="Search"
      className={styles["palette"]}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && leave()}
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
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed into
            autoFocus
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
              setChosen(undefined);
              setEntered(undefined);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div className={styles["body"]}>
          <div role="status" className={styles["notes"]}>
            {located?.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
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
              {sections.map(({ heading, entries: inSection }) => (
                <Options
                  key={`${heading} ${inSection[0]?.id}`}
                  heading={heading}
                  entries={inSection}
                  active={active}
                  optionId={optionId}
                  onPoint={setChosen}
                  onChoose={choose}
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
    </dialog>
  );
}

interface OptionsProps extends Section {
  readonly active: Entry | undefined;
  readonly optionId: (entry: Entry) => string;
  readonly onPoint: (id: string) => void;
  readonly onChoose: (entry: Entry) => void;
}

function Options({ heading, entries, active, optionId, onPoint, onChoose }: OptionsProps): ReactNode {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={styles["heading"]}>
        {heading}
      </div>
      {entries.map((entry) => {
        const { label, detail, icon: EntryIcon, keys, link, run } = entry;
        return (
          <div
            key={entry.id}
            id={optionId(entry)}
            role="option"
            aria-selected={entry === active}
            aria-disabled={link || run ? undefined : true}
            className={styles["option"]}
            onPointerMove={() => onPoint(entry.id)}
            onClick={() => onChoose(entry)}
          >
            <span className={styles["glyph"]}>
              <EntryIcon size={14} />
            </span>
            <span className={styles["label"]}>
              <bdi>{label}</bdi>
            </span>
            {detail ? (
              <span className={styles["detail"]}>
                <bdi>{detail}</bdi>
              </span>
            ) : null}
            {keys ? <kbd>{keys}</kbd> : null}
          </div>
        );
      })}
    </div>
  );
}
