import { Button } from "@mantine/core";
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { FormProvider } from "react-hook-form";
import * as z from "zod/mini";

import "~/ui/controls/button-styles";
import { readRaw, type RawAnswer } from "~/api/client/client";
import type { Operation, Parameter } from "~/api/openapi/document";
import { choicesOf, typeWords } from "~/api/openapi/field-rows";
import { FormRequests } from "~/frame/request-inspector/form-requests";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import type { RequestInfo } from "platform-client/request-info";
import { staysBelow } from "platform-client/wire";
import { fieldViolations, status as statusSchema, type Status } from "platform-contract/status";
import type { Values } from "platform-contract/values";
import { Document } from "~/ui/display/json-document";
import { formatCount } from "~/ui/display/numbers";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { FormAlert } from "~/ui/form/form-alert";
import { applyViolations, focusFirstInvalid } from "~/ui/form/apply-violations";
import { SelectField, TextAreaField, TextField } from "~/ui/form/fields";
import { asText, renamed } from "~/ui/form/problems";
import { useResourceForm } from "~/ui/form/use-resource-form";
import { RequestId } from "~/ui/feedback/request-id";

import { prefilled } from "./data";
import styles from "./api-explorer.module.css";

/** Parameters on screen at once; the others are folded. */
const SHOWN = 6;
/** Characters of an answer on display: more than a page of 200 records. */
const MAX_CHARACTERS = 500_000;

interface SendReadProps {
  readonly operation: Operation;
  readonly schemas: Values;
}

/** Its name in the form: those of parameters have dots. */
const fieldAt = (index: number): string => `p${index}`;

type Texts = Record<string, string>;

const isList = ({ schema }: Parameter): boolean => schema["type"] === "array";

/** What is sent in each place; blank fields are left out. */
function requestOf(operation: Operation, parameters: readonly Parameter[], texts: Texts): RequestInfo {
  const { method, path, summary } = operation;
  const valueOf = (parameter: Parameter, index: number): string | string[] => {
    const text = texts[fieldAt(index)] ?? "";
    if (!isList(parameter)) return text.trim();
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  };
  const given = parameters.flatMap((parameter, index) => {
    const value = valueOf(parameter, index);
    return value.length === 0 ? [] : [[parameter, value] as const];
  });
  const at = (where: Parameter["in"]) =>
    given.flatMap(([parameter, value]) => (parameter.in === where ? [[parameter.name, value] as const] : []));
  return {
    endpoint: { method, path, summary },
    path: Object.fromEntries(at("path").map(([name, value]) => [name, String(value)])),
    query: Object.fromEntries(at("query")),
  };
}

/** Only what would make it another request: the service says what else is wrong. */
const schemaFor = (parameters: readonly Parameter[]) =>
  z.object(
    Object.fromEntries(
      parameters.map((parameter, index) => [
        fieldAt(index),
        parameter.in === "path"
          ? z
              .string()
              .check(
                z.trim(),
                z.minLength(1, "required"),
                z.refine(staysBelow, "must not have . or .. between slashes"),
              )
          : z.string(),
      ]),
    ),
  );

/** A form for the parameters of a read, which sends it as the user, and the answer. */
export function SendRead({ operation, schemas }: SendReadProps): ReactNode {
  const { group } = useChosenGroup();
  const parameters = operation.parameters.filter(({ in: where }) => where !== "header");
  const [names] = useState(() =>
    Object.fromEntries(parameters.map(({ name }, index) => [name, fieldAt(index)])),
  );
  const [fieldOf] = useState(() => (path: string) => renamed(path, names));
  const form = useResourceForm({
    schema: schemaFor(parameters),
    defaultValues: Object.fromEntries(
      parameters.map((parameter, index) => [fieldAt(index), prefilled(operation, parameter, group) ?? ""]),
    ),
    fieldOf,
  });
  const element = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<RawAnswer>();
  const [failure, setFailure] = useState<unknown>();
  const [unmatched, setUnmatched] = useState<ReturnType<typeof fieldViolations>>([]);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    // When the errors are on screen.
    if (attempts > 0 && element.current) focusInvalid(element.current);
  }, [attempts]);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const send = async (texts: Texts) => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    try {
      const next = await readRaw(requestOf(operation, parameters, texts), controller.signal);
      const refused = statusOf(next);
      setAnswer(next);
      setFailure(undefined);
      setUnmatched(refused ? applyViolations(form, fieldViolations(refused)) : []);
    } catch (error) {
      if (controller.signal.aborted) return;
      setAnswer(undefined);
      setFailure(error);
    }
  };
  const submit = async (event: FormEvent) => {
    await form.handleSubmit(send)(event);
    setAttempts((count) => count + 1);
  };
  const { isSubmitting } = form.formState;
  const field = (parameter: Parameter, index: number) => (
    <ParameterField key={parameter.name} name={fieldAt(index)} parameter={parameter} schemas={schemas} />
  );
  /** What has to be given, what is filled in, what this operation has of its own, what every list has. */
  const rank = (parameter: Parameter): number =>
    parameter.required
      ? 0
      : prefilled(operation, parameter, group) !== undefined
        ? 1
        : /^(?:uidp\.|page_|skip$|order_by$)/.test(parameter.name)
          ? 3
          : 2;
  const ordered = parameters
    .map((parameter, index) => [parameter, index] as const)
    .toSorted(([a], [b]) => rank(a) - rank(b));
  return (
    <FormProvider {...form}>
      <form ref={element} className={styles["form"]} noValidate onSubmit={(event) => void submit(event)}>
        {ordered.length === 0 ? <p className={styles["quiet"]}>It has no parameters.</p> : null}
        <div className={styles["fields"]}>
          {ordered.slice(0, SHOWN).map(([parameter, index]) => field(parameter, index))}
        </div>
        {ordered.length > SHOWN ? (
          <details>
            <summary>More parameters ({ordered.length - SHOWN})</summary>
            <div className={styles["fields"]}>
              {ordered.slice(SHOWN).map(([parameter, index]) => field(parameter, index))}
            </div>
          </details>
        ) : null}
        <FormRequests form={form} requests={(texts) => [requestOf(operation, parameters, texts)]} />
        <div>
          <Button type="submit" loading={isSubmitting}>
            Send as me
          </Button>
        </div>
      </form>
      {failure === undefined ? null : <FormAlert {...errorFacts(failure)} />}
      {answer ? <Answer answer={answer} unmatched={unmatched} /> : null}
    </FormProvider>
  );
}

/** After a refusal the answer is what people look at, unless a field has to be put right. */
function focusInvalid(form: HTMLFormElement): void {
  if (form.querySelector('[aria-invalid="true"]')) focusFirstInvalid(form);
}

interface ParameterFieldProps {
  readonly name: string;
  readonly parameter: Parameter;
  readonly schemas: Values;
}

function ParameterField({ name, parameter, schemas }: ParameterFieldProps): ReactNode {
  const { name: label, required, description, schema } = parameter;
  const choices = choicesOf(schema, schemas);
  const field = { name, label, required, hint: description };
  if (isList(parameter))
    return (
      <TextAreaField
        {...field}
        code
        rows={2}
        hint={[`${description}. One per line.`, ...(choices.length > 0 ? [choices.join(", ")] : [])].join(
          " ",
        )}
      />
    );
  const options = schema["type"] === "boolean" ? ["true", "false"] : choices;
  if (options.length > 0)
    return (
      <SelectField
        {...field}
        options={[{ value: "", label: "Left out" }, ...options.map((value) => ({ value, label: value }))]}
      />
    );
  return <TextField {...field} code placeholder={typeWords(schema, schemas)} />;
}

/** A refusal in the API's own form. */
function statusOf({ response, text }: RawAnswer): Status | undefined {
  if (response.ok) return undefined;
  return statusSchema.safeParse(parsed(text)).data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formatted(text: string): string {
  const json = parsed(text);
  const whole = json === undefined ? text : JSON.stringify(json, undefined, 2);
  return whole.slice(0, MAX_CHARACTERS);
}

interface AnswerProps {
  readonly answer: RawAnswer;
  /** Violations that no field shows. */
  readonly unmatched: ReturnType<typeof fieldViolations>;
}

/** Status, time and headers of a response, and what it has. */
function Answer({ answer, unmatched }: AnswerProps): ReactNode {
  const { response, text, milliseconds } = answer;
  const refused = statusOf(answer);
  const header = (name: string) => response.headers.get(name) ?? undefined;
  const [id, wait, type] = ["x-request-id", "retry-after", "content-type"].map(header);
  const shown = formatted(text);
  return (
    <section className={styles["answer"]} aria-label="Answer">
      <p className={styles["facts"]} role="status">
        <strong>
          {response.status} {response.statusText}
        </strong>
        <span>{formatCount(Math.round(milliseconds))} ms</span>
        {wait === undefined ? null : <span>Retry-After: {wait}</span>}
        {type === undefined || type.startsWith("application/json") ? null : <span>{type}</span>}
        {id === undefined ? null : <RequestId value={id} />}
      </p>
      {refused ? (
        <Notice tone="danger" role="alert" title={refused.message || "The service rejected this request."}>
          {unmatched.length === 0 ? null : (
            <ul>
              {unmatched.map((each) => (
                <li key={asText(each)}>{asText(each)}</li>
              ))}
            </ul>
          )}
        </Notice>
      ) : null}
      {shown === "" ? (
        <p className={styles["quiet"]}>The response is empty.</p>
      ) : (
        <Document text={shown} what="response" />
      )}
      {shown.length === MAX_CHARACTERS ? (
        <p className={styles["quiet"]}>The rest of the response isn&apos;t shown.</p>
      ) : null}
    </section>
  );
}
