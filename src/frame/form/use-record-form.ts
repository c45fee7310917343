import { createElement, useMemo, useState } from "react";
import { useWatch, type FieldValues } from "react-hook-form";
import * as z from "zod/mini";

import { useCan } from "~/frame/permissions/use-can";
import type { RequestInfo } from "platform-client/request-info";
import { checkWrite, isChecked } from "~/api/client/check-write";
import { omitPaths } from "platform-contract/behavior";
import type { Endpoint } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";
import { useCreate, useUpdate } from "~/api/mutations/writes";
import { changesBetween } from "~/ui/form/changes";
import { NothingToSave } from "~/ui/form/nothing-to-save";
import { segments } from "~/ui/form/problems";
import { untyped } from "~/ui/form/untyped";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { errorFacts } from "~/ui/feedback/error-facts";
import { toast } from "~/ui/feedback/toast-store";

import type { Contract, Item, Screens } from "~/frame/define";
import type { FormProps } from "./drawers";
import { withoutSecrets } from "~/frame/request-inspector/without-secrets";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { refusalFacts } from "./refusal-facts";
import { problemsOf } from "./problems";

interface RecordFormOptions<T, I, V> extends FormProps<T> {
  /** The form's values for a record, or for a new one. Must be defined outside of components, as must `body`. */
  readonly values: (record: T | undefined) => V;
  /** The request body; incomplete if fields are empty. */
  readonly body: (values: V, opened: V) => I;
  /** For titles and buttons, if not the contract's noun. */
  readonly noun?: string;
  /** A new record can be at the root level, in no group. */
  readonly atRoot?: boolean;
  /** Returns the form's name for a field of the API, if they differ. */
  readonly fieldOf?: (path: string, values: V) => string;
  /** Parameters of a create, if the service takes any. */
  readonly createQuery?: object | undefined;
  /** Problems beyond the contract's own rules, by form field; `before`: what an edit was opened with. */
  readonly problems?: (values: V, before: OpenedRecord<T, V> | undefined) => readonly FieldViolation[];
  /** Form fields that no draft keeps, besides the secrets of the contract. */
  readonly unkept?: readonly string[];
  /** Paths that are replaced as a whole, such as maps: each is one path of an update mask. */
  readonly leaves?: (before: I, after: I) => readonly string[];
}

/** A record, and the form's values for it. */
export interface OpenedRecord<T, V> {
  readonly record: T;
  readonly values: V;
}

export interface Placed {
  /** uid of the group to create it in; "" until the user chooses one. */
  parent: string;
  /** Why, if the form has a `<JustificationField>`. */
  justification: string;
}

type Writable<T, I> = Contract<T, I> & Required<Pick<Contract<T, I>, "get" | "create" | "update">>;

const membersOf = (body: object | undefined): Record<string, unknown> => ({ ...body });

/**
 * The form of one resource, for its `<FormDrawer>`: creates a record in the chosen group, or saves the fields of a
 * record that changed since the form was opened.
 */
export function useRecordForm<T extends Item, I extends object, V extends FieldValues>(
  { resource, nameOf, link }: Screens<T, I>,
  options: RecordFormOptions<T, I, V>,
) {
  const {
    record: shown,
    scope = "",
    onClose,
    values,
    body,
    problems,
    leaves,
    unkept,
    atRoot = false,
  } = options;
  const { noun = resource.noun, fieldOf } = options;
  const { behavior } = resource;
  // The record as of when the form was filled: a save sends the differences from it.
  const [record, setRecord] = useState(shown);
  const opened = useMemo(
    () => ({ ...values(record), parent: scope, justification: "" }),
    [values, record, scope],
  );
  const before = useMemo(() => (record ? body(opened, opened) : undefined), [body, opened, record]);
  const changes = (next: I) =>
    changesBetween(
      // Create-only fields never count as changes, even if the form shows them.
      omitPaths(membersOf(before), behavior.createOnly),
      omitPaths(membersOf(next), behavior.createOnly),
      new Set(before && leaves?.(before, next)),
    );

  const problemsIn = (all: V & Placed): FieldViolation[] => {
    const next = body(all, opened);
    const mask = before && changes(next).mask;
    if (mask?.length === 0) return [];
    const missingParent = !record && !atRoot && all.parent === "";
    return [
      ...(missingParent ? [{ field: "parent", description: "Choose a folder" }] : []),
      ...(problems?.(all, record && { record, values: opened }) ?? []),
      ...problemsOf(resource.request, next, mask),
    ];
  };
  const schema = z.pipe(
    z.custom<V & Placed>().check(({ value, issues }) => {
      for (const { field, description } of problemsIn(value))
        issues.push({ code: "custom", message: description, path: segments(field), input: value });
    }),
    z.transform((all: V & Placed) => body(all, opened)),
  );
  const draft = `${record ? "edit" : "create"} ${resource.noun}`;
  const form = useResourceForm({
    schema,
    defaultValues: opened,
    draft,
    fieldOf,
    secret: behavior.secret,
    ...(unkept && { unkept }),
  });
  const parent: string = useWatch({ control: untyped(form).control, name: "parent" });
  const writable = resource as Writable<T, I>;
  const creation = useCan(resource.create ?? resource.list, atRoot ? parent : parent || undefined);
  const change = useCan(resource.update ?? resource.list, record?.uid);
  const create = useCreate(writable, (duplicate: T) => {
    toast(`${nameOf(duplicate)} was created twice`, {
      label: `Open the other ${noun}`,
      target: link(duplicate.uid),
    });
  });
  const update = useUpdate(writable);
  /** The request that a save would send; none if nothing has changed. */
  const requestOf = (next: I, at: string, justification: string) => {
    if (!record) {
      const query = options.createQuery;
      return { endpoint: writable.create, path: { parent: at }, query, justification, body: next };
    }
    const { mask, body: changed } = changes(next);
    const query = { updateMask: mask.join(",") };
    return mask.length === 0
      ? undefined
      : { endpoint: writable.update, path: { uid: record.uid }, query, justification, body: changed };
  };
  const requests = (all: V & Placed): RequestInfo[] => {
    const asked = requestOf(body(all, opened), all.parent, all.justification);
    return asked ? [{ ...asked, body: withoutSecrets(asked.body, behavior.secret) }] : [];
  };
  const refusal = (error: unknown) => (record ? errorFacts(error) : refusalFacts(error, parent));
  const filledWith = (current: T) => ({
    ...values(current),
    parent: scope,
    justification: untyped(form).getValues("justification"),
  });
  return {
    opened: true,
    requests,
    behind: createElement(FormRequests<V & Placed, I>, { form, requests }),
    form,
    onClose,
    title: `${record ? "Edit" : "Create"} ${noun}`,
    submitLabel: record ? "Save changes" : `Create ${noun}`,
    savingLabel: record ? "Saving" : "Creating",
    disabled: (record ? change : creation).reason,
    onCheck: isChecked(record ? writable.update : writable.create)
      ? async (next: I): Promise<void> => {
          const asked = requestOf(next, parent, untyped(form).getValues("justification"));
          if (!asked) throw new NothingToSave();
          // Its body is read by the same contract that made the form.
          await checkWrite(asked as RequestInfo & { endpoint: Endpoint }).catch((error: unknown) => {
            throw refusal(error);
          });
        }
      : undefined,
    onSubmit: async (next: I): Promise<T> => {
      const justification: string = untyped(form).getValues("justification");
      try {
        if (!record)
          return await create.mutateAsync({
            parent,
            body: next,
            query: options.createQuery,
            justification,
          });
        const { mask, body: changed } = changes(next);
        if (mask.length === 0) throw new NothingToSave();
        return await update.mutateAsync({
          uid: record.uid,
          opened: record,
          mask,
          body: changed as Partial<I>,
          justification,
        });
      } catch (error) {
        throw refusal(error);
      }
    },
    valuesOf: record && filledWith,
    onReload: (current: T) => {
      setRecord(current);
      untyped(form).reset(filledWith(current));
    },
    onSaved: (saved: T) => {
      onClose();
      const name = nameOf(saved);
      if (record) toast(`Saved ${noun} ${name}`);
      else toast(`Created ${noun} ${name}`, { label: `Open ${noun}`, target: link(saved.uid) });
    },
  };
}
