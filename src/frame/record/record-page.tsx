import { useQuery } from "@tanstack/react-query";
import { notFound } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { one } from "~/api/queries/queries";
import { ApiError } from "platform-client/errors";
import { isUid } from "platform-contract/aip";
import { RawJson } from "~/ui/display/json-document";
import { AfterLoad } from "~/ui/layout/after-load";
import { ActionMenu, type MenuAction } from "~/ui/overlay/menu";
import { usePageActions } from "~/ui/overlay/page-actions";
import { Page, PageHeader } from "~/ui/layout/page";
import { StaleNotice } from "~/ui/feedback/stale-notice";
import { Uid } from "~/ui/display/uid";

import { recordActions, requestsAction } from "~/frame/request-inspector/record-actions";
import { useTitle } from "~/frame/scope/title";
import { paramToUid } from "~/frame/scope/uid-param";

interface Named {
  readonly uid: string;
  readonly name?: string | undefined;
}

type RecordQuery<T> = ReturnType<typeof one<T>>;

/** Returns the uid in the address of a page; throws `notFound()` if there is none. */
export function readUid(param: string): string {
  const uid = paramToUid(param);
  if (!isUid(uid)) throw notFound();
  return uid;
}

/** True if a record does not exist, or the user cannot see it. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.kind === "refused" &&
  (error.code === "NOT_FOUND" || error.code === "PERMISSION_DENIED");

/**
 * Loads the record of a page, and sets the page title. Throws the error if there is nothing to show: the shell shows
 * it in place of the screen. `stale` is the notice for a record that could not be refreshed, or null.
 */
export function useRecord<T extends Named>(
  query: RecordQuery<T>,
  nameOf: (record: T) => string | undefined = ({ name }) => name,
): { readonly record: T | undefined; readonly stale: ReactNode } {
  const { data, error, dataUpdatedAt, refetch } = useQuery(query);
  useTitle(data && nameOf(data));
  // Do not show a cached record that is gone, or that the user can no longer see.
  if (error && (data === undefined || isGone(error))) throw error;
  const stale = error && <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} />;
  return { record: data, stale };
}

interface RecordPageProps<T> {
  /** As in the address, with `_` for `/`. */
  readonly param: string;
  readonly query: (uid: string) => RecordQuery<T>;
  /** Stands before the title from the first moment on. */
  readonly icon?: LucideIcon | undefined;
  /** What it is, in place of its name while that loads: "Identity". */
  readonly word: string;
  /** Display name of the record, if not its `name`. */
  readonly nameOf?: (record: T) => string;
  /** True while its display name is loading: the name decides how high the header is. */
  readonly pending?: boolean;
  /** The page once the record is loaded, with `stale` below its header. */
  readonly children: (record: T, stale: ReactNode) => ReactNode;
}

/** The page of one record: loads it first, then shows it, with the raw JSON last. */
export function RecordPage<T extends Named>(props: RecordPageProps<T>): ReactNode {
  const { param, query, icon, word, nameOf, children, pending = false } = props;
  const uid = readUid(param);
  return (
    <Loaded key={uid} query={query(uid)} icon={icon} word={word} nameOf={nameOf} pending={pending}>
      {children}
    </Loaded>
  );
}

interface LoadedProps<T> extends Pick<RecordPageProps<T>, "children" | "word"> {
  readonly icon: LucideIcon | undefined;
  readonly nameOf: RecordPageProps<T>["nameOf"] | undefined;
  readonly pending: boolean;
  readonly query: RecordQuery<T>;
}

function Loaded<T extends Named>(props: LoadedProps<T>): ReactNode {
  const { query, icon, word, nameOf, children, pending } = props;
  const { record, stale } = useRecord(query, nameOf);
  return (
    <Page pending={pending}>
      {record === undefined ? (
        <PageHeader icon={icon} title={word} description="Loading…" />
      ) : (
        <>
          {children(record, stale)}
          <AfterLoad>
            <RawJson value={record} />
          </AfterLoad>
        </>
      )}
    </Page>
  );
}

interface RecordHeaderProps {
  readonly uid: string;
  /** Undefined while it loads, on a page that does not wait for it. */
  readonly record: Named | undefined;
  /** Display name, which can differ from its `name`. */
  readonly name: string;
  /** Kind and state. */
  readonly badges?: ReactNode;
  readonly icon?: LucideIcon | undefined;
  /** Builds its menu from the entries that every record has. */
  readonly menu: (common: readonly MenuAction[]) => readonly MenuAction[];
  /** Buttons; the one primary action last. The menu follows. */
  readonly children?: ReactNode;
}

/** The header of a record page: its name and its actions. */
export function RecordHeader({
  uid,
  record,
  name,
  icon,
  badges,
  menu,
  children,
}: RecordHeaderProps): ReactNode {
  const actions = () => menu([...(record ? recordActions(record, name) : []), requestsAction]);
  usePageActions(actions);
  return (
    <PageHeader
      title={name}
      icon={icon}
      description={record ? undefined : "Loading…"}
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
