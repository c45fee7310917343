import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { refresh } from "~/api/queries/lists";
import { PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { sendTestEvent, type EventDelivery } from "platform-contract/events/deliveries";
import { KEPT } from "platform-contract/events/pending";
import { useCleanAddress } from "~/frame/clean-address";
import { timeColumn } from "~/frame/list/columns";
import { ListTools } from "~/frame/list/list-tools";
import { useList } from "~/frame/list/use-list";
import { useRecord } from "~/frame/record/record-page";
import { RecordHead } from "~/frame/record/record-screen";
import { useView } from "~/frame/use-view";
import { ActionButton } from "~/ui/controls/action-button";
import { FilterSelect } from "~/ui/controls/filters";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { State } from "~/ui/display/state";
import { NothingMatches, NothingYet } from "~/ui/feedback/empty";
import { toast } from "~/ui/feedback/toast-store";
import { Page } from "~/ui/layout/page";
import { ListTable } from "~/ui/table/list-table";
import type { Column } from "~/ui/table/types";
import { useRepeated } from "~/ui/use-repeated";
import { EVERYWHERE } from "~/frame/scope/scope";

import { subscriptionScreens } from "./data";
import {
  AGAIN,
  attemptWords,
  deliveriesQuery,
  DELIVERY_ORDER,
  isRetried,
  isWaiting,
  ONE_AT_A_TIME,
  readDeliveries,
  shortType,
  STATE_OPTIONS,
  stateWords,
  TYPE_OPTIONS,
  type DeliverySearch,
} from "./deliveries-data";
import { DeliverySheet } from "./delivery-sheet";
import { NotSent } from "./not-sent";
import classes from "./styles.module.css";
import { SubscriptionTabs } from "./tabs";

const columns: readonly Column<EventDelivery>[] = [
  {
    id: "event",
    header: "Event",
    width: "minmax(13rem, 4fr)",
    cell: ({ type }) => shortType(type),
    text: ({ type }) => type,
  },
  {
    id: "subject",
    header: "About",
    // The end of a uid tells records apart: it has to fit.
    width: "minmax(11.5rem, 2fr)",
    hideBelow: 900,
    cell: ({ subject }) => (subject ? <code data-exact={subject}>{shorten(subject)}</code> : <Dash />),
    text: ({ subject = "" }) => subject,
  },
  {
    id: "state",
    header: "State",
    width: "10.5rem",
    cell: (row) => <DeliveryState of={row} />,
    text: (row) => stateWords(row).word,
  },
  {
    id: "last",
    header: "Last attempt",
    width: "minmax(9rem, 3fr)",
    hideBelow: 640,
    cell: (row) => lastOf(row) ?? <Dash label="not tried yet" />,
    text: (row) => lastOf(row) ?? "",
  },
  {
    id: "attempts",
    header: "Attempts",
    width: "6rem",
    align: "end",
    hideBelow: 720,
    cell: ({ attemptCount = 0 }) => formatCount(attemptCount),
    text: ({ attemptCount = 0 }) => String(attemptCount),
  },
  timeColumn("created", "Created", "created_at", ({ createTime }) => createTime, { hideBelow: 480 }),
];

function lastOf({ attempts = [] }: EventDelivery): string | undefined {
  const last = attempts.at(-1);
  return last && attemptWords(last);
}

const DeliveryState = ({ of }: { readonly of: EventDelivery }): ReactNode => {
  const { word, tone } = stateWords(of);
  return <State tone={tone}>{word}</State>;
};

/** Shows what became of the events of a subscription. */
export function Deliveries({ uid }: { readonly uid: string }): ReactNode {
  const search = useCleanAddress(readDeliveries);
  const { record, stale } = useRecord(subscriptionScreens.record(uid), subscriptionScreens.nameOf);
  const client = useQueryClient();
  const refusal = useRefusal();
  const list = deliveriesQuery(uid, search);
  const press = useRef<string>(undefined);
  const test = useMutation({
    // A press that is repeated after a failure sends one event.
    mutationFn: () =>
      callOnce(sendTestEvent, { path: { uid }, body: {} }, (press.current ??= crypto.randomUUID())),
    onSuccess: () => {
      press.current = undefined;
      toast("The test event is on its way");
    },
    onSettled: () => refresh(client, list),
  });
  return (
    <Page fill pending={record === undefined}>
      <RecordHead
        of={subscriptionScreens}
        uid={uid}
        record={record}
        drawer={search.drawer}
        stale={stale}
        tabs={(of) => <SubscriptionTabs uid={of} current="Deliveries" />}
      >
        <ActionButton
          reason={refusal(sendTestEvent, uid)}
          variant="filled"
          onClick={() => test.isPending || test.mutate()}
        >
          Send test event
        </ActionButton>
      </RecordHead>
      {test.error ? <NotSent what="test event" error={test.error} /> : null}
      <DeliveryRows uid={uid} search={search} />
    </Page>
  );
}

function DeliveryRows({ uid, search }: { readonly uid: string; readonly search: DeliverySearch }): ReactNode {
  const client = useQueryClient();
  const { show, filter } = useView<DeliverySearch>();
  const list = deliveriesQuery(uid, search);
  const { tab: _tab, delivery, ...view } = search;
  const rows = useList({
    list,
    scope: EVERYWHERE,
    search: view,
    defaultOrder: DELIVERY_ORDER,
    enabled: true,
    view: JSON.stringify([uid, search.state, search.type]),
  });
  useRepeated(rows.paged.rows.some(isWaiting), AGAIN, () => refresh(client, list));
  const filters = [
    ...(search.state === undefined
      ? []
      : [`state is ${STATE_OPTIONS.find(({ value }) => value === search.state)?.label ?? ""}`]),
    ...(search.type === undefined ? [] : [`event type is ${search.type}`]),
  ];
  return (
    <>
      <div role="search" className={classes["filters"]}>
        <FilterSelect
          label="State"
          value={search.state}
          options={[{ value: "", label: "Any" }, ...STATE_OPTIONS]}
          onChange={(state) => filter({ state })}
        />
        <FilterSelect
          label="Event type"
          value={search.type}
          options={[{ value: "", label: "Any" }, ...TYPE_OPTIONS]}
          onChange={(type) => filter({ type })}
        />
        <ListTools
          label="Deliveries"
          columns={columns}
          list={deliveriesQuery(uid, search, PAGE_SIZE_MAX)}
          shown={list.queryKey}
          group={parentOf(uid)}
        />
      </div>
      {rows.paged.rows.some(isWaiting) && rows.paged.rows.some(isRetried) ? (
        <p className={classes["quiet"]}>{ONE_AT_A_TIME}</p>
      ) : null}
      <ListTable
        {...rows.table}
        {...rows.paged}
        label="Deliveries"
        columns={columns}
        rowName={({ type, createTime = "" }) => `${shortType(type)} ${createTime}`}
        rowLink={(row) => ({
          to: ".",
          search: (previous: object) => ({ ...previous, delivery: row.uid }),
        })}
        summary={(row) => [lastOf(row) ?? "Not tried yet", shorten(row.subject ?? "")].join(" \u00b7 ")}
        aside={(row) => <DeliveryState of={row} />}
        emptyState={
          filters.length > 0 ? (
            <NothingMatches
              what="deliveries"
              filters={filters}
              onClear={() => filter({ state: undefined, type: undefined })}
            />
          ) : (
            <NothingYet title="No deliveries yet">
              Events sent to this URL appear here. Of those that were delivered or given up, the last{" "}
              {formatCount(KEPT.deliveries)} are kept for {KEPT.days} days.
            </NothingYet>
          )
        }
      />
      {delivery === undefined ? null : (
        <DeliverySheet
          key={delivery}
          subscription={uid}
          delivery={delivery}
          row={rows.paged.rows.find((row) => row.uid === delivery)}
          loading={rows.paged.query.isPending}
          onSent={() => void refresh(client, list)}
          onClose={() => show({ delivery: undefined }, true)}
        />
      )}
    </>
  );
}
