import { useQuery } from "@tanstack/react-query";
import { linkOptions, useRouteContext } from "@tanstack/react-router";
import { ChevronLeftIcon } from "lucide-react";
import { Fragment, useEffect, useRef, useState, type ReactNode } from "react";

import { operationNamed, type ApiDescription, type Operation } from "~/api/openapi/document";
import { apiDescription, descriptionAddress } from "~/api/openapi/read";
import { useTitle } from "~/frame/scope/title";
import { useView } from "~/frame/use-view";
import { FilterText } from "~/ui/controls/filters";
import { formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";

import { groupOperations, searchOperations } from "./data";
import { TITLE, type ExplorerSearch } from "./search";
import { Method } from "./method";
import styles from "./api-explorer.module.css";

/** Its forms and tables are only for who looks at one. */
const OperationPart = onDemand(async () => (await import("./operation")).OperationPart);

/** The operations, and the one that the address names. */
export function Explorer({ search }: { readonly search: ExplorerSearch }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const { data, error, refetch } = useQuery(apiDescription(config.apiBaseUrl));
  const shown = data && search.op !== undefined ? operationNamed(data, search.op) : undefined;
  useTitle(shown ? `${shown.summary} · API` : TITLE);
  if (error && !data)
    return <FailedPart title="The API description couldn't be loaded" error={error} onRetry={refetch} />;
  if (data === null)
    return (
      <Notice title="The operations of this API are unknown">
        The service has no readable description at <code>{descriptionAddress(config.apiBaseUrl)}</code>. “Show
        requests” in the header still shows the requests behind each screen.
      </Notice>
    );
  if (!data)
    return (
      <p role="status" className={styles["quiet"]}>
        Loading…
      </p>
    );
  return <Described description={data} search={search} shown={shown} />;
}

interface ExplorerProps {
  readonly description: ApiDescription;
  readonly search: ExplorerSearch;
  readonly shown: Operation | undefined;
}

const operationLink = (op: string | undefined) =>
  linkOptions({ to: "/api", search: (before: object) => ({ ...before, op }) });

function Described({ description, search, shown }: ExplorerProps): ReactNode {
  const { op } = search;
  // What the address had at the beginning is no choice: the focus is at the heading of the page.
  const [first, setFirst] = useState(op);
  if (first !== undefined && op !== first) setFirst(undefined);
  return (
    <div className={styles["explorer"]} data-chosen={op !== undefined || undefined}>
      <Operations description={description} search={search} shown={shown} />
      <div className={styles["panel"]}>
        {op === undefined ? (
          <Introduction />
        ) : (
          <>
            <p className={styles["back"]}>
              <AppLink target={operationLink(undefined)}>
                <ChevronLeftIcon size={14} /> All operations
              </AppLink>
            </p>
            {shown ? (
              <OperationPart
                key={shown.id}
                operation={shown}
                schemas={description.schemas}
                chosen={first === undefined}
              />
            ) : (
              <Notice title="Unknown operation">
                This service doesn&apos;t describe an operation <code>{op}</code>.
              </Notice>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function Operations({ description, search, shown }: ExplorerProps): ReactNode {
  const { show } = useView<ExplorerSearch & { drawer?: undefined }>();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  const found = searchOperations(description.operations, search.find ?? "");
  return (
    <div className={styles["side"]}>
      <FilterText
        type="search"
        label="Search operations"
        placeholder="Search paths, names"
        value={search.find}
        onApply={(find, more) => show({ find }, more)}
      />
      <p className={styles["quiet"]} role="status">
        {found.length === 0 ? "No operations match" : formatQuantity(found.length, "operation", "operations")}
      </p>
      <nav ref={list} aria-label="Operations" className={styles["groups"]}>
        {groupOperations(found).map(({ resource, name, operations }) => (
          <section key={resource} aria-labelledby={`api-${resource}`}>
            <h2 id={`api-${resource}`} className={styles["resource"]}>
              {name}
            </h2>
            <ul className={styles["operations"]}>
              {operations.map((operation) => (
                <li key={operation.id}>
                  <AppLink
                    target={operationLink(operation.id)}
                    preload={false}
                    className={styles["operation"]}
                    aria-current={operation === shown ? "true" : undefined}
                  >
                    <Method method={operation.method} />
                    <span className={styles["summary"]}>{operation.summary}</span>
                    <code className={styles["path"]}>
                      {operation.path.split(/(?<=[/:])/).map((step, index) => (
                        <Fragment key={index}>
                          {index > 0 ? <wbr /> : null}
                          {step}
                        </Fragment>
                      ))}
                    </code>
                  </AppLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}

function Introduction(): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  return (
    <div className={styles["intro"]}>
      <p>
        Choose an operation to see its parameters, fields and answers. The same description is at{" "}
        <a href={descriptionAddress(config.apiBaseUrl)}>openapi.json</a>, for tools that generate clients.
      </p>
      <p>
        Commands need an access token in <code>TOKEN</code>; “Show requests” in the header says how a program
        gets one. An operation marked “Extension” is of this service: others of this API may lack it.
      </p>
    </div>
  );
}
