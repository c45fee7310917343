import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from "react";
import * as z from "zod/mini";

import { useCan } from "~/frame/permissions/use-can";
import { creationPlan, type RecordToCreate } from "~/api/bulk/creation-plan";
import { isChecked } from "~/api/client/check-write";
import { leastTimeFromNow } from "~/api/client/service-clock";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { startLater } from "~/frame/bulk-delete/start";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DraftRestored } from "~/ui/form/draft-restored";
import { FileInput } from "~/ui/form/file-input";
import { onDemand } from "~/ui/on-demand";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import type { FieldViolation } from "platform-contract/status";

import { checkRows, type CheckedRows } from "./check-rows";
import { readExisting } from "./existing";
import type { Terms } from "./invite-terms";
import { guess, headersOf, rowsOf, toldOf, unused } from "./kinds";
import type { ColumnMapping, ImportKind, ImportRow } from "./kinds";
import type { Sent } from "./outcome";
import classes from "./styles.module.css";
import { MOST_BYTES, type Table } from "./table";

/** With the first file or list. */
const InviteTerms = onDemand(async () => (await import("./invite-terms")).InviteTerms);
const Outcome = onDemand(async () => (await import("./outcome")).Outcome);
const Preview = onDemand(async () => (await import("./preview")).Preview);

interface ImportProps {
  readonly kind: ImportKind;
  /** uid of the group. */
  readonly parent: string;
  /** Its name. */
  readonly where: string;
}

/** What a dry run has found. */
interface Found {
  /** The rows that it was about: others are not checked. */
  readonly of: readonly ImportRow[];
  readonly existing: ReadonlySet<string>;
  /** Not all of them if it was stopped, or failed. */
  readonly checked: CheckedRows;
}

/** A dry run that is going on, or failed. */
interface Running {
  readonly of: readonly ImportRow[];
  readonly words?: string;
  readonly error?: unknown;
}

const NONE: CheckedRows = new Map();

const pasted = z.object({ text: z.string() });

export function Import({ kind, parent, where }: ImportProps): ReactNode {
  const { resource, one, many, fields } = kind;
  const id = useId();
  const client = useQueryClient();
  const owner = ownerOf(usePerson());
  const paused = useWritesPaused();
  const listable = useCan(resource.list, parent);
  const jobOpen = useJobOpen();
  const form = useResourceForm({ schema: pasted, defaultValues: { text: "" }, draft: `import ${many}` });
  const setText = (text: string) => form.setValue("text", text, { shouldDirty: true });
  const [table, setTable] = useState<Table>();
  const [mapping, setMapping] = useState<ColumnMapping>({});
  const [problem, setProblem] = useState<string>();
  const [terms, setTerms] = useState<Terms>();
  const [found, setFound] = useState<Found>();
  const [running, setRunning] = useState<Running>();
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const left = useRef<AbortController>(undefined);
  const outcome = useRef<HTMLParagraphElement>(null);
  const invites = resource.collection === "groupInvites";

  const rows = useMemo(
    () => (table ? rowsOf(kind, table, mapping, terms) : []),
    [kind, table, mapping, terms],
  );
  // What was asked about other rows is of no use.
  useEffect(() => () => left.current?.abort(), [rows]);
  const { existing, checked = NONE } = found?.of === rows ? found : {};
  const { words: doing, error: failure } = running?.of === rows ? running : {};
  const isThere = ({ name }: { readonly name: string }): boolean =>
    existing?.has(name.toLowerCase()) ?? false;
  const valid = rows.filter(({ violations }) => violations.length === 0);
  const absent = valid.filter((row) => !isThere(row));
  const refused = absent.filter(({ number }) => (checked.get(number) ?? []).length > 0);
  const ready = absent.filter((row) => !refused.includes(row));
  const asks = isChecked(resource.create);
  const unchecked = absent.filter(({ number }) => !checked.has(number));
  const isDone = existing !== undefined && unchecked.length === 0;

  /** Shows another table. */
  const open = async (content: string) => {
    setProblem(undefined);
    left.current?.abort();
    setRunning(undefined);
    try {
      const { readTable } = await import("./read-table");
      const read = await readTable(content, headersOf(kind));
      setTable(read);
      setMapping(guess(kind, read));
    } catch (error) {
      setTable(undefined);
      setProblem(() => {
        if (error instanceof TextProblem) return error.message;
        // The code didn't load: for the route's error view, as with onDemand().
        throw error;
      });
    }
  };
  const refuse = (why: string) => {
    left.current?.abort();
    setTable(undefined);
    setProblem(why);
  };
  const choose = async (file: File) => {
    if (file.size > MOST_BYTES) return refuse("This file is larger than 5 MB.");
    let content: string;
    try {
      // Otherwise letters of another encoding would become question marks, and be imported so.
      content = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      return refuse("This file isn't text in UTF-8. Save it as “CSV UTF-8” and choose it again.");
    }
    setText(content.length > 100_000 ? "" : content);
    return open(content);
  };
  /** Asks about the rows that were not asked about yet; about all again once that is done. */
  const check = async () => {
    const own = new AbortController();
    const { signal } = own;
    left.current = own;
    const answers = new Map(isDone ? NONE : checked);
    let there = isDone ? undefined : existing;
    setRunning({ of: rows, words: "Checking…" });
    try {
      const retryPolicy = retryPolicyOf(client);
      // Without the right to list them, the service shows none, whatever is there.
      there ??= listable.allowed ? await readExisting(kind, parent, { retryPolicy, signal }) : new Set();
      signal.throwIfAborted();
      const known = there;
      const all = valid.filter(({ name }) => !known.has(name.toLowerCase()));
      const tell = ({ number }: ImportRow, reasons: readonly FieldViolation[]) => {
        answers.set(number, reasons);
        if (!signal.aborted)
          setRunning({
            of: rows,
            words: `Checked ${formatCount(answers.size)} of ${formatQuantity(all.length, "row")}…`,
          });
      };
      const asked = all.filter(({ number }) => !answers.has(number));
      if (asks) await checkRows(kind, parent, asked, { signal, tell });
      else for (const { number } of asked) answers.set(number, []);
      setRunning(undefined);
    } catch (error) {
      if (!signal.aborted) setRunning({ of: rows, error });
    }
    // Also if it was stopped, or failed: what was found out stays.
    if (there && left.current === own) setFound({ of: rows, existing: there, checked: answers });
  };
  const stop = () => {
    left.current?.abort();
    setRunning(undefined);
    // The button that had the focus goes.
    outcome.current?.focus();
  };
  const create = () => {
    const notBefore = leastTimeFromNow();
    const targets = ready.map(({ name, body }): RecordToCreate => ({
      uid: crypto.randomUUID(),
      name,
      parent,
      body,
      key: crypto.randomUUID(),
      notBefore,
    }));
    startLater({ client, owner }, creationPlan(resource.collection, { one, many }), targets);
    setSent(targets.map(({ uid, name, body }) => ({ uid, name, told: toldOf(kind, body) })));
    setTable(undefined);
    form.reset();
    setFound(undefined);
  };
  const blocked =
    (jobOpen ? "Another job is still running" : undefined) ??
    (ready.length === 0 ? "No row can be created" : undefined) ??
    paused?.reason;
  const result = (
    <>
      {isDone ? (
        <>
          {formatQuantity(ready.length, one, many)} would be created in <bdi>{where}</bdi>.
        </>
      ) : (
        `${formatQuantity(absent.length - unchecked.length, "row")} checked, ${formatCount(unchecked.length)} not checked yet.`
      )}{" "}
      {listable.allowed
        ? valid.length > absent.length
          ? `${formatQuantity(
              valid.length - absent.length,
              "is there already and is",
              "are there already and are",
            )} left out. `
          : null
        : `Your role doesn't let you view ${many}, so we can't tell which are there already. `}
      {refused.length > 0
        ? `The service would refuse ${formatQuantity(refused.length, "row")}, left out too. `
        : asks && isDone
          ? "The service was asked about each of them. "
          : null}
      {rows.length > valid.length
        ? formatQuantity(
            rows.length - valid.length,
            "row with problems is left out.",
            "rows with problems are left out.",
          )
        : null}
    </>
  );
  const idle = table ? unused(kind, table, mapping) : [];
  return (
    <>
      <Section
        title="File or list"
        description="CSV with a header row, a JSON list of records as written by “Export JSON”, or one value per line. Nothing leaves this browser before the dry run."
      >
        <div className={classes["panel"]}>
          {form.restored ? <DraftRestored {...form.restored} secrets={[]} /> : null}
          <FileInput
            label={`File with ${many}`}
            accept=".csv,.json,.txt,text/csv,application/json,text/plain"
            describedBy={`${id}problem`}
            onChoose={(file) => void choose(file)}
          />
          <label className={classes["paste"]}>
            <span>Or paste it here</span>
            <textarea
              className={classes["area"]}
              rows={6}
              spellCheck={false}
              dir="auto"
              placeholder={kind.example}
              aria-describedby={`${id}problem`}
              {...form.register("text")}
            />
          </label>
          <Button variant={table ? "default" : "filled"} onClick={() => void open(form.getValues("text"))}>
            Preview
          </Button>
          <div id={`${id}problem`} role="alert">
            {problem === undefined ? null : (
              <Notice tone="warning" title="This can't be imported">
                {problem}
              </Notice>
            )}
          </div>
        </div>
      </Section>
      {invites && table ? <InviteTerms group={parent} onChange={setTerms} /> : null}
      {table ? (
        <Section
          title="Columns"
          description={idle.length > 0 ? `Not used: ${idle.join(", ")}.` : "Every column is used."}
        >
          <div className={classes["mapping"]}>
            {fields.map(({ path, label }) => (
              <label key={path} className={classes["field"]}>
                <span>{label}</span>
                <select
                  className={classes["select"]}
                  value={mapping[path] ?? ""}
                  onChange={(event) =>
                    setMapping({ ...mapping, [path]: event.currentTarget.value || undefined })
                  }
                >
                  <option value="">Not set</option>
                  {table.columns.map((column) => (
                    <option key={column} value={column}>
                      {column}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
        </Section>
      ) : null}
      {table ? (
        <Section
          title="Preview"
          count={rows.length}
          description={`${formatQuantity(valid.length, "row")} without problems. Nothing has been created.`}
        >
          <Preview rows={rows} isThere={isThere} checked={checked} />
          {failure === undefined ? null : (
            <FailedPart
              title={existing ? "The dry run ended early" : `What ${where} has already couldn't be read`}
              error={failure}
              onRetry={() => void check()}
            />
          )}
          <p ref={outcome} role="status" tabIndex={-1}>
            {existing && !doing ? result : null}
          </p>
          <div className={classes["buttons"]}>
            {/* Each has a place of its own, so that a second press doesn't meet another one. */}
            <DisabledReason
              reason={doing ? "Already checking" : valid.length === 0 ? "Every row has problems" : undefined}
            >
              <Button variant={isDone ? "default" : "filled"} onClick={() => void check()}>
                {isDone
                  ? "Dry run again"
                  : existing && !doing
                    ? `Check the other ${formatQuantity(unchecked.length, "row")}`
                    : "Dry run"}
              </Button>
            </DisabledReason>
            {doing ? (
              <>
                <Button variant="default" onClick={stop}>
                  Stop
                </Button>
                <span>{doing}</span>
              </>
            ) : null}
            {ready.length > 0 ? (
              <WriteRequests
                requests={() =>
                  ready
                    .slice(0, 20)
                    .map(({ body }) => ({ endpoint: resource.create, path: { parent }, body }))
                }
              />
            ) : null}
            {isDone && !doing ? (
              <DisabledReason reason={blocked}>
                <Button variant="filled" onClick={create}>
                  Create {formatQuantity(ready.length, one, many)}
                </Button>
              </DisabledReason>
            ) : null}
          </div>
        </Section>
      ) : null}
      {sent.length > 0 ? <Outcome kind={kind} where={where} sent={sent} /> : null}
    </>
  );
}
