import { queryOptions } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { anchorOf } from "~/api/queries/lists";
import { infinite } from "~/api/queries/queries";
import {
  DELIVERY_STATES,
  listDeliveries,
  TEST_EVENT,
  type DeliveryAttempt,
  type EventDelivery,
} from "platform-contract/events/deliveries";
import { ENDING_TYPE, EVENT_TYPES } from "platform-contract/events/event-types";
import type { ListQuery } from "platform-contract/resource";
import { recordLink } from "~/frame/scope/record-link";
import { readTexts, type Address } from "~/frame/scope/address";
import { uidToParam } from "~/frame/scope/uid-param";
import { readListSearch, type ListSearch } from "~/frame/list/list-search";
import { capitalize } from "~/ui/display/capitalize";
import type { LinkTarget } from "~/ui/layout/link";

import { subscriptionScreens } from "./data";

/** True if config.json says that the service tells what became of events; nothing requests it otherwise. */
export const useHasDeliveries = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.eventsLog === true });

export const DELIVERIES = "deliveries";

/** A tab of a subscription's page: the overview, or its deliveries. */
export const subscriptionTab = (uid: string, tab?: typeof DELIVERIES): LinkTarget => ({
  to: "/subscriptions/$uid",
  params: { uid: uidToParam(uid) },
  search: tab === undefined ? {} : { tab },
});

/** Words for a state, and its value in the address. */
const STATES: Readonly<
  Record<string, readonly [value: string, word: string, tone: "none" | "warning" | "success" | "danger"]>
> = {
  DELIVERY_STATE_WAITING: ["waiting", "Waiting", "none"],
  DELIVERY_STATE_FAILED: ["failed", "Failed, will retry", "warning"],
  DELIVERY_STATE_DELIVERED: ["delivered", "Delivered", "success"],
  DELIVERY_STATE_GIVEN_UP: ["given-up", "Given up", "danger"],
};
export const STATE_OPTIONS = DELIVERY_STATES.map((state) => {
  const [value, label] = STATES[state]!;
  return { value, label };
});
const stateNamed = (value: string | undefined): string | undefined =>
  Object.keys(STATES).find((state) => STATES[state]![0] === value);

export function stateWords(delivery: Pick<EventDelivery, "state" | "attempts">) {
  const { state = "", attempts = [] } = delivery;
  const [, word, tone] = STATES[state] ?? ["", "Unknown state", "none"];
  // One that was tried waits because somebody sent it again.
  return { word: isWaiting(delivery) && attempts.length > 0 ? "Sending again" : word, tone } as const;
}

const TEST = { type: TEST_EVENT, collection: "subscriptions", meaning: "A test event." };
const KNOWN = new Map([...EVENT_TYPES, ENDING_TYPE, TEST].map((one) => [one.type, one]));

/** What all types of the platform begin with. */
export const TYPE_PREFIX = "dev.chainguard.api.";

export const TYPE_OPTIONS = [...KNOWN.keys()]
  .toSorted()
  .map((type) => ({ value: type, label: shortType(type) }));

/** Without that: "iam.group.created.v1". */
export function shortType(type: string): string {
  return type.replace(TYPE_PREFIX, "");
}

/** What an event of this type reports, as a sentence; undefined for an unknown type. */
export const meaningOf = (type: string): string | undefined => KNOWN.get(type)?.meaning;

/** The page of the record that an event is about; undefined if there is none, or the record is deleted by now. */
export function aboutLink({
  type,
  subject = "",
}: Pick<EventDelivery, "type" | "subject">): LinkTarget | undefined {
  const known = KNOWN.get(type);
  if (known === undefined || ("on" in known && known.on === "deleted")) return undefined;
  return recordLink({ kind: known.collection, uid: subject });
}

/** How an attempt ended, in words. */
export const attemptWords = ({ status, error }: DeliveryAttempt): string =>
  status === undefined ? capitalize(error ?? "no response") : `HTTP ${status}`;

export interface DeliverySearch extends ListSearch {
  readonly tab?: typeof DELIVERIES;
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** uid of the delivery that is shown. */
  readonly delivery?: string | undefined;
}

/** Reads the search parameters of the page with its deliveries. */
export function readDeliveries(address: Address): DeliverySearch {
  const { state, ...texts } = readTexts(address, ["state", "type", "delivery"]);
  return {
    ...readListSearch(address, ["created_at", "uid"], []),
    ...subscriptionScreens.readPage(address),
    ...(address["tab"] === DELIVERIES && { tab: DELIVERIES }),
    ...texts,
    ...(state !== undefined && stateNamed(state) !== undefined && { state }),
  };
}

export const DELIVERY_ORDER = "created_at desc";

/** The deliveries of a subscription, starting at row `at`, optionally with another page size. */
export function deliveriesQuery(uid: string, search: DeliverySearch, pageSize?: number) {
  const { order = DELIVERY_ORDER, at, type, state } = search;
  const value = stateNamed(state);
  return infinite<EventDelivery, ListQuery>(
    listDeliveries,
    {
      order_by: order,
      ...(type !== undefined && { type }),
      ...(value !== undefined && { state: value }),
      ...(pageSize !== undefined && { page_size: pageSize }),
    },
    { path: { uid }, skip: anchorOf(Number(at ?? 0)) },
  );
}

/** How often an event that waits for its first attempt is read again, in ms. */
export const AGAIN = 2_000;

/** Why events wait: the service spares an endpoint that fails (docs/operate/connect.md). */
export const ONE_AT_A_TIME =
  "While the endpoint fails, its events are tried one at a time, up to a minute apart.";

export const isWaiting = ({ state }: Pick<EventDelivery, "state">): boolean =>
  state === "DELIVERY_STATE_WAITING";

export const isRetried = ({ state }: Pick<EventDelivery, "state">): boolean =>
  state === "DELIVERY_STATE_FAILED";

/** One delivery of a subscription, wherever it is in the list; null if the service doesn't have it. */
export function deliveryQuery(uid: string, delivery: string) {
  const request = { path: { uid }, query: { delivery } };
  return queryOptions({
    queryKey: [listDeliveries.collection, "one", uid, delivery] as const,
    meta: { requests: () => [{ endpoint: listDeliveries, ...request }] } satisfies QueryFacts,
    queryFn: async ({ signal }) => {
      const { items } = await call(listDeliveries, { ...request, signal });
      // A service that doesn't know the filter answers with its newest ones.
      return items.find((each) => each.uid === delivery) ?? null;
    },
    // Asked for only if the list doesn't show it, which can know it better.
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isWaiting(data) ? AGAIN : false),
  });
}
