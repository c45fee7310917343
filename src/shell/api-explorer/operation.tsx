import { useLayoutEffect, useRef, type ReactNode } from "react";

import type { Operation, OperationResponse, Parameter } from "~/api/openapi/document";
import { choicesOf, fieldRows, ruleWords, sampleOf, typeWords } from "~/api/openapi/field-rows";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import type { RequestInfo } from "platform-client/request-info";
import type { Values } from "platform-contract/values";
import { Badge } from "~/ui/display/badge";
import { Code } from "~/ui/display/code";
import { FactTable } from "~/ui/display/fact-table";
import { Document, written } from "~/ui/display/json-document";

import { prefilled } from "./data";
import { Method } from "./method";
import { SendRead } from "./send-read";
import styles from "./api-explorer.module.css";

interface OperationProps {
  readonly operation: Operation;
  /** The named schemas of the document. */
  readonly schemas: Values;
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode => (
  <section className={styles["part"]}>
    <h3 className={styles["heading"]}>{title}</h3>
    {children}
  </section>
);

interface OperationPartProps extends OperationProps {
  /** It was chosen on this page, so that its heading gets the focus. */
  readonly chosen: boolean;
}

/** One operation: what it needs, takes and answers, and how to call it. */
export function OperationPart({ operation, schemas, chosen }: OperationPartProps): ReactNode {
  const { group } = useChosenGroup();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (chosen) heading.current?.focus();
  }, [chosen]);
  const { method, path, summary, description, capabilities, extension, issuesToken } = operation;
  const { parameters, body, examples, responses } = operation;
  const reads = method === "GET" && !issuesToken;
  const unsaid = capabilities.filter((name) => !description.includes(name));
  return (
    <article className={styles["article"]}>
      <header>
        <div className={styles["line"]}>
          <h2 ref={heading} className={styles["title"]} tabIndex={-1}>
            {summary}
          </h2>
          {extension ? <Badge tone="accent">Extension</Badge> : null}
        </div>
        <p className={styles["address"]}>
          <Method method={method} /> <Code value={path} what="path" />
        </p>
        {description === "" ? null : <p className={styles["description"]}>{description}</p>}
        {unsaid.length === 0 ? null : (
          <p className={styles["quiet"]}>
            {unsaid.length === 1 ? "Capability" : "Capabilities"}:{" "}
            {unsaid.map((name, index) => (
              <span key={name}>
                {index > 0 ? ", " : null}
                <code>{name}</code>
              </span>
            ))}
          </p>
        )}
        {extension ? (
          <p className={styles["quiet"]}>Not in the published specification: other services may lack it.</p>
        ) : null}
      </header>
      <Part title={reads ? "Try it" : "Call it"}>
        {reads ? (
          // Another scope fills the parameters anew.
          <SendRead key={group} operation={operation} schemas={schemas} />
        ) : (
          <WriteCommand operation={operation} schemas={schemas} />
        )}
      </Part>
      {parameters.length === 0 ? null : (
        <Part title="Parameters">
          <ParameterTable parameters={parameters} schemas={schemas} />
        </Part>
      )}
      {body === undefined ? null : (
        <Part title="Request body">
          <FieldTable caption="Fields of the request body" schema={body} schemas={schemas} />
          {examples.map((example, index) => (
            <details key={index} open={index === 0}>
              <summary>{examples.length > 1 ? `Example ${index + 1}` : "Example"}</summary>
              <Document text={written(Object(example))} what={`example ${index + 1}`} />
            </details>
          ))}
        </Part>
      )}
      {responses.map((response) => (
        <ResponsePart key={response.status} response={response} schemas={schemas} />
      ))}
    </article>
  );
}

interface ParameterTableProps {
  readonly parameters: readonly Parameter[];
  readonly schemas: Values;
}

/** An example that follows from a schema: one of its few values. */
function exampleOf({ schema }: Parameter, schemas: Values): string | undefined {
  if (schema["type"] === "boolean") return "true";
  const choices = choicesOf(schema, schemas);
  return choices.find((choice) => !choice.endsWith("_UNSPECIFIED"));
}

const Words = ({
  description,
  choices,
  rule,
}: Pick<ReturnType<typeof fieldRows>[number], "description" | "choices" | "rule">): ReactNode => (
  <>
    {description}
    {rule === "" ? null : <span className={styles["rule"]}>{rule}</span>}
    {choices.length === 0 ? null : (
      <span className={styles["rule"]}>
        One of{" "}
        {choices.map((choice, index) => (
          <span key={choice}>
            {index > 0 ? ", " : null}
            <code>{choice}</code>
          </span>
        ))}
      </span>
    )}
  </>
);

const ParameterTable = ({ parameters, schemas }: ParameterTableProps): ReactNode => (
  <FactTable
    caption="Parameters"
    stacks
    head={["Name", "In", "Type", "Required", "Description", "Example"]}
    rows={parameters.map((parameter) => {
      const { name, in: where, required, description, schema } = parameter;
      const example = exampleOf(parameter, schemas);
      return [
        <code key="name">{name}</code>,
        where,
        typeWords(schema, schemas),
        required ? "Yes" : "No",
        <Words
          key="words"
          description={description}
          choices={choicesOf(schema, schemas)}
          rule={ruleWords(schema, schemas)}
        />,
        example === undefined ? undefined : <code key="example">{example}</code>,
      ];
    })}
  />
);

interface FieldTableProps {
  readonly caption: string;
  readonly schema: Values;
  readonly schemas: Values;
}

function FieldTable({ caption, schema, schemas }: FieldTableProps): ReactNode {
  const rows = fieldRows(schema, schemas);
  if (rows.length === 0) return <p className={styles["quiet"]}>No fields: {typeWords(schema, schemas)}.</p>;
  return (
    <FactTable
      caption={caption}
      stacks
      head={["Field", "Type", "Required", "Description"]}
      rows={rows.map(({ name, type, required, ...words }) => [
        <code key="name">{name}</code>,
        type,
        required ? "Yes" : "No",
        <Words key="words" {...words} />,
      ])}
    />
  );
}

function ResponsePart(props: { readonly response: OperationResponse; readonly schemas: Values }): ReactNode {
  const { response, schemas } = props;
  const { status, description, schema } = response;
  const title = status === "default" ? "Response: any error" : `Response: ${status}`;
  return (
    <Part title={title}>
      <p className={styles["quiet"]}>{description}</p>
      {schema === undefined ? null : (
        <>
          <FieldTable caption={`Fields of the ${title.toLowerCase()}`} schema={schema} schemas={schemas} />
          <details>
            <summary>Shape</summary>
            <Document text={written(Object(sampleOf(schema, schemas)))} what={`shape of ${status}`} />
          </details>
        </>
      )}
    </Part>
  );
}

/** What a write is sent as, by whoever runs it: the console doesn't. */
function WriteCommand({ operation }: OperationProps): ReactNode {
  const { group } = useChosenGroup();
  const { method, path, summary, parameters, body, examples, issuesToken } = operation;
  const variables = parameters.filter((parameter) => parameter.in === "path");
  const open = variables.filter((variable) => prefilled(operation, variable, group) === undefined);
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const request = (example?: unknown): RequestInfo => ({
    endpoint: { method, path, summary },
    path: Object.fromEntries(
      variables.map((variable) => [
        variable.name,
        prefilled(operation, variable, group) ?? variable.name.toUpperCase(),
      ]),
    ),
    query: Object.fromEntries(needed.map(({ name }) => [name, name.toUpperCase()])),
    ...(body !== undefined && { body: example ?? {} }),
  });
  const placeholders = [...open, ...needed].map(({ name }) => name.toUpperCase());
  return (
    <>
      <p className={styles["quiet"]}>
        {issuesToken
          ? "The console doesn't send this: it would get a token."
          : "The console never sends writes from here."}{" "}
        Copy the command and run it yourself.
      </p>
      <WriteRequests
        requests={() => (examples.length > 0 ? examples.map(request) : [request()])}
        note={
          placeholders.length === 0 ? undefined : `Replace ${placeholders.join(" and ")} with your values.`
        }
      />
    </>
  );
}
