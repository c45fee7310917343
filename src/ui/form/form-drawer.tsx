import { Button } from "@mantine/core";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { FormProvider, useFormState, type FieldValues } from "react-hook-form";

import "../controls/button-styles";
import { announceRetry, useSecondsLeft, waitText } from "../feedback/countdown";
import { DisabledReason } from "../overlay/disabled-reason";
import { errorFacts, type ErrorFacts } from "../feedback/error-facts";
import { useWritesPaused } from "../feedback/writes-paused";
import { WritesPausedNotice } from "../feedback/writes-paused-notice";
import { useReturnFocus } from "../overlay/return-focus";
import { applyViolations, focusFirstInvalid } from "./apply-violations";
import { conflictsOf, type Conflict } from "./differences";
import { dirtyPaths } from "./dirty-paths";
import { DiscardDialog } from "./discard-dialog";
import { FormAlert } from "./form-alert";
import classes from "./form-drawer.module.css";
import { DrawerFrame, PageFrame } from "./form-frame";
import { FormMessageContext } from "./form-message";
import { MergeChanges } from "./merge-changes";
import { FORM_ERROR } from "./problems";
import { DraftRestored } from "./draft-restored";
import { ReviewChanges } from "./review-changes";
import { useLeaveGuard } from "./use-leave-guard";
import type { ResourceForm } from "./use-resource-form";
import { untyped } from "./untyped";

// Rarely needed: loaded when another user saved first.

interface FormDrawerProps<V extends FieldValues, O, R> {
  title: ReactNode;
  opened: boolean;
  /** Closes it; called if there are no unsaved changes, or the user discards them. */
  onClose: () => void;
  form: ResourceForm<V, O>;
  /** Only writes. If it rejects, the form stays as it is and shows the error. */
  onSubmit: (body: O) => Promise<R>;
  /** Asks the service whether it would do the write, and does nothing. If it rejects, the form shows that like a refused write. */
  onCheck?: ((body: O) => Promise<void>) | undefined;
  /** Called after a successful write: closes and reports. The leave guard is off. */
  onSaved: (result: R) => void;
  /** A verb with its object: "Create identity". */
  submitLabel: string;
  /** While saving: "Creating". */
  savingLabel?: string;
  /** Why this cannot be saved at all (a missing capability). */
  disabled?: string | undefined;
  /** An error from elsewhere, shown like an error of the write. */
  error?: unknown;
  /** Loads a record that someone else changed. */
  onReload?: ((current: R) => void) | undefined;
  /** Returns the form's values for a record. Only for edits: lets the user review the changes. */
  valuesOf?: ((current: R) => object) | undefined;
  /** The request that a save would send, for users who want to send it elsewhere. */
  behind?: ReactNode;
  /** Further buttons, after those of every form. */
  actions?: ReactNode;
  /** A page instead of a drawer, for a form with more than a column of fields. */
  page?: boolean;
  /** What a save means, beside the fields of a page; in a drawer, below them. */
  aside?: ReactNode;
  children: ReactNode;
}

const WOULD_DO = "The service would do this now. Nothing was saved.";

/** Focuses the first field on open (the checked one of a radio group); Mantine's trap would focus the close button. */
function markFirstField(fields: HTMLElement | null): void {
  const controls = [...(fields?.querySelectorAll<HTMLElement>("input, select, textarea") ?? [])];
  const [first] = controls;
  const group = first?.closest("[role=radiogroup]");
  const chosen = group?.querySelector<HTMLElement>(":checked") ?? first;
  chosen?.setAttribute("data-autofocus", "");
}

/** A form in a drawer, or on a page of its own. Load it with the form (`lazy()`), mount it open. */
export function FormDrawer<V extends FieldValues, O, R>(props: FormDrawerProps<V, O, R>) {
  const { title, opened, onClose, form, onSubmit, onSaved, submitLabel, children } = props;
  const { savingLabel = "Saving", error, onCheck, onReload, valuesOf, behind, actions } = props;
  const { page = false, aside } = props;
  const element = useRef<HTMLFormElement>(null);
  const released = useRef(false);
  const saving = useRef(false);
  const [asking, setAsking] = useState(false);
  const [checking, setChecking] = useState(false);
  const [trouble, setTrouble] = useState<ErrorFacts>();
  const [conflicts, setConflicts] = useState<readonly Conflict[]>();
  const [attempts, attempted] = useReducer((turn: number) => turn + 1, 0);
  const { isSubmitting, errors } = useFormState({ control: form.control });
  const dirty = useCallback(() => dirtyPaths(form).length > 0, [form]);
  const guard = useLeaveGuard(dirty, released);
  useReturnFocus(opened);
  const heldBack = useWritesPaused();
  const wait = useSecondsLeft(trouble?.retryAt, announceRetry);
  const waiting = wait > 0 ? `Rate limited. Try again in ${waitText(wait)}.` : undefined;
  const disabled = props.disabled ?? heldBack?.reason ?? waiting;
  const held = heldBack !== undefined;
  const [wasHeld, setWasHeld] = useState(held);
  if (held !== wasHeld) {
    setWasHeld(held);
    // The service is reachable again: clear the error of a write that did not happen.
    if (!held && trouble?.outcome === "none") setTrouble(undefined);
  }
  useEffect(() => {
    // Runs after the render that shows the errors of the attempt.
    if (attempts > 0 && element.current) focusFirstInvalid(element.current);
  }, [attempts]);

  const close = () => {
    // A check changes nothing: nobody has to wait for it.
    if (saving.current && !checking) return;
    if (dirty()) return setAsking(true);
    released.current = true;
    onClose();
  };
  const discard = () => {
    released.current = true;
    setAsking(false);
    if (guard.blocked) guard.leave();
    else onClose();
  };
  const keep = () => {
    setAsking(false);
    guard.stay();
  };
  const write = async (body: O) => {
    const result = await onSubmit(body);
    released.current = true;
    onSaved(result);
  };
  const attempt = async (act: (body: O) => Promise<void>) => {
    if (saving.current || disabled !== undefined) return;
    saving.current = true;
    setTrouble(undefined);
    await form.handleSubmit(async (body) => {
      try {
        await act(body);
      } catch (reason) {
        const facts = errorFacts(reason);
        const unmatched = applyViolations(form, facts.violations);
        const allShown = facts.violations.length > 0 && unmatched.length === 0;
        setTrouble(allShown ? undefined : { ...facts, violations: unmatched });
      }
    })();
    saving.current = false;
    attempted();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    return attempt(write);
  };

  // What someone else saved meanwhile: an error has the record of the write that it is about.
  const saved = trouble?.current as R;
  const reload = () => {
    setTrouble(undefined);
    setConflicts(undefined);
    onReload?.(saved);
  };

  const changed = trouble?.outcome === "changed";
  /** Resets the form to what another user saved, and applies this user's changes on top. */
  const compare = (valuesOf: (current: R) => object) => {
    const found = conflictsOf(form, valuesOf(saved));
    reload();
    for (const { path, yours, touched } of found)
      if (touched) untyped(form).setValue(path, yours, { shouldDirty: true });
    setConflicts(found);
  };

  const invalid = errors[FORM_ERROR]?.message;
  const outside = error ? errorFacts(error) : undefined;
  const shown =
    trouble ?? (typeof invalid === "string" ? { message: invalid, violations: [], unsent: true } : outside);
  const say = useCallback(
    (text?: string) =>
      setTrouble(text === undefined ? undefined : { message: text, violations: [], calm: true }),
    [],
  );
  const check = async (ask: (body: O) => Promise<void>) => {
    if (saving.current) return;
    setChecking(true);
    await attempt(async (body) => {
      await ask(body);
      say(WOULD_DO);
    });
    setChecking(false);
  };
  const isChecked = trouble?.message === WOULD_DO;
  useLayoutEffect(() => {
    if (!isChecked) return undefined;
    // It was about what the fields had.
    return form.subscribe({ formState: { values: true }, callback: () => say() });
  }, [isChecked, form, say]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey === event.metaKey || event.altKey) return;
    // React passes on the keys of dialogs over the form, too.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    element.current?.requestSubmit();
  };
  const review = conflicts ? (
    <MergeChanges form={form} conflicts={conflicts} onClose={() => setConflicts(undefined)} />
  ) : valuesOf ? (
    <ReviewChanges form={form} />
  ) : null;
  const side = aside || (page && review);
  const Frame = page ? PageFrame : DrawerFrame;
  return (
    <Frame
      title={title}
      opened={opened}
      onClose={close}
      closeOnEscape={!asking && !guard.blocked}
      // Mounted on demand: if already mounted, it would handle the same Escape itself.
      over={asking || guard.blocked ? <DiscardDialog onDiscard={discard} onKeep={keep} /> : null}
    >
      {(header) => (
        <FormProvider {...form}>
          <FormMessageContext value={say}>
            <form
              ref={element}
              className={classes["form"]}
              onSubmit={(event) => void submit(event)}
              onKeyDownCapture={onKeyDown}
              noValidate
            >
              {header}
              <div className={classes["body"]} data-side={side ? true : undefined}>
                <div ref={markFirstField} className={classes["fields"]}>
                  {form.restored ? <DraftRestored {...form.restored} secrets={form.settings.secret} /> : null}
                  {children}
                </div>
                {side ? (
                  <div className={classes["side"]}>
                    {aside}
                    {page ? review : null}
                  </div>
                ) : null}
              </div>
              <div className={classes["footer"]}>
                {heldBack ? <WritesPausedNotice {...heldBack} /> : null}
                {shown ? (
                  <FormAlert
                    {...shown}
                    wait={wait}
                    onReload={onReload && changed ? reload : undefined}
                    onCompare={valuesOf && changed ? () => compare(valuesOf) : undefined}
                  />
                ) : null}
                {page ? null : review}
                {behind}
                <div className={classes["buttons"]}>
                  <DisabledReason reason={disabled}>
                    <Button
                      type="submit"
                      aria-disabled={isSubmitting || undefined}
                      aria-keyshortcuts="Control+Enter Meta+Enter"
                    >
                      {isSubmitting && !checking ? `${savingLabel}…` : submitLabel}
                    </Button>
                  </DisabledReason>
                  <Button variant="default" onClick={close}>
                    Cancel
                  </Button>
                  {onCheck ? (
                    <DisabledReason reason={disabled}>
                      <Button variant="default" onClick={() => void check(onCheck)}>
                        {checking ? "Checking…" : "Check without saving"}
                      </Button>
                    </DisabledReason>
                  ) : null}
                  {actions}
                </div>
              </div>
            </form>
          </FormMessageContext>
        </FormProvider>
      )}
    </Frame>
  );
}
