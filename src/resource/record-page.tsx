import { useQuery } from "@tanstack/react-query";
import { notFound } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { ApiError } from "~/api/client/errors";
import type { one } from "~/api/queries/queries";
import { isUid } from "~/contract/aip";
import { RawJson } from "~/ui/display/json-document";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";
import { usePageActions } from "~/ui/overlay/page-actions";
import { Page, PageHeader } from "~/ui/layout/page";
import { shorten } from "~/ui/display/shorten";
import { StaleNotice } from "~/ui/feedback/stale-notice";
import { Uid } from "~/ui/display/uid";

import { recordActions, requestsAction } from "~/features/request-inspector/record-actions";
import { useTitle } from "~/features/scope/title";
import { paramToUid } from "~/features/scope/uid-param";

interface Named {
  readonly uid: string;
  readonly name?: string | undefined;
}

/** As `one()` describes it. */
type RecordQuery<T> = ReturnType<typeof one<T>>;

/** The uid in the address of a page; an address that holds none is that of no page. */
export function readUid(param: string): string {
  const uid = paramToUid(param);
  if (!isUid(uid)) throw notFound();
  return uid;
}

/** Whether a record is not there, or may not be seen. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.kind === "refused" &&
  (error.code === "NOT_FOUND" || error.code === "PERMISSION_DENIED");

/**
 * Reads the record that a page is about, and gives the page its title. What cannot be shown is thrown: the shell says so in
 * the place of the screen. `stale` is what to say over a record that could not be read again; else it is nothing.
 */
export function useRecord<T extends Named>(
  query: RecordQuery<T>,
  nameOf: (record: T) => string | undefined = ({ name }) => name,
): { readonly record: T | undefined; readonly stale: ReactNode } {
  const { data, error, dataUpdatedAt, refetch } = useQuery(query);
  useTitle(data && nameOf(data));
  // What is gone, or may no longer be seen, is not shown from memory either.
  if (error && (data === undefined || isGone(error))) throw error;
  const stale = error && <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} />;
  return { record: data, stale };
}

interface RecordPageProps<T> {
  /** As it stands in the address, `_` for `/`. */
  readonly param: string;
  readonly query: (uid: string) => RecordQuery<T>;
  /** What the record is called, where that is not its name. */
  readonly nameOf?: (record: T) => string;
  /** The page once the record is there, with `stale` beneath its head. */
  readonly children: (record: T, stale: ReactNode) => ReactNode;
  /** What comes later than the record and is of any height: it stands last, so that it moves nothing. */
  readonly last?: (record: T) => ReactNode;
}

/** The page of one record: read first, then shown, and at its end as the API gave it. */
export function RecordPage<T extends Named>(props: RecordPageProps<T>): ReactNode {
  const { param, query, nameOf, children, last } = props;
  const uid = readUid(param);
  return (
    <Loaded key={uid} query={query(uid)} nameOf={nameOf} uid={uid} last={last}>
      {children}
    </Loaded>
  );
}

interface LoadedProps<T> extends Pick<RecordPageProps<T>, "children"> {
  readonly last: RecordPageProps<T>["last"] | undefined;
  readonly nameOf: RecordPageProps<T>["nameOf"] | undefined;
  readonly uid: string;
  readonly query: RecordQuery<T>;
}

function Loaded<T extends Named>({ query, nameOf, uid, children, last }: LoadedProps<T>): ReactNode {
  const { record, stale } = useRecord(query, nameOf);
  return (
    <Page>
      {record === undefined ? (
        <PageHeader title={shorten(uid)} description="Loading…" />
      ) : (
        <>
          {children(record, stale)}
          <RawJson value={record} />
          {last?.(record)}
        </>
      )}
    </Page>
  );
}

interface RecordHeaderProps {
  readonly uid: string;
  /** Undefined while it is read, on a page that does not wait for it. */
  readonly record: Named | undefined;
  /** What it is called, which may not be its name. */
  readonly name: string;
  /** Kind and state. */
  readonly badges?: ReactNode;
  /** Its menu, made around what every record's has. */
  readonly menu: (common: readonly MenuAction[]) => readonly MenuAction[];
  /** Buttons; the one primary action last. The menu follows. */
  readonly children?: ReactNode;
}

/** The head of a record's page: what it is called, and what can be done with it. */
export function RecordHeader({ uid, record, name, badges, menu, children }: RecordHeaderProps): ReactNode {
  const actions = () => menu([...(record ? recordActions(record, name) : []), requestsAction]);
  usePageActions(actions);
  return (
    <PageHeader
      title={name}
      badges={badges}
      meta={<Uid value={uid} />}
      actions={
        <>
          {children}
          <ActionMenu label={`More actions for ${name}`} actions={actions} />
        </>
      }
    />
  );
}
