import type { QueryClient } from "@tanstack/react-query";
import { notFound, type SearchSchemaInput } from "@tanstack/react-router";

import { isUid } from "platform-contract/aip";
import type { Address } from "./scope/address";
import type { ListSearch } from "./list/list-search";
import { readScopeSearch } from "./scope/scope";
import { paramToUid } from "./scope/uid-param";

import type { PageView } from "./define";

interface Start {
  readonly cause: string;
  readonly context: { readonly queryClient: QueryClient };
}

/**
 * The search parameters of a list with the filters of `S`: what a link can set. What an address has is text that anybody can
 * write: the screen reads it by its own definition (`useCleanAddress`), whose code is not loaded yet.
 */
export const listSearch =
  <S extends object>() =>
  (link: ListSearch & S & SearchSchemaInput): Address => {
    const address: Address = Object.fromEntries(Object.entries(link));
    return { ...address, ...readScopeSearch(address) };
  };
/** The search parameters of a record page. */
export const pageSearch = listSearch<PageView>();

const ignore = () => undefined;

/**
 * A loader that requests the list before the screen renders, which shows errors. Loader and screen are one chunk. Does not
 * await the response, so that the first render knows what to wait for.
 */
export const startList =
  (screens: { startList: (client: QueryClient, address: Address) => unknown }) =>
  ({ cause, context, location }: Start & { readonly location: { readonly search: object } }): void => {
    if (cause === "stay") return;
    // The screen shows a failed request; it must not become an unhandled rejection.
    Promise.resolve(screens.startList(context.queryClient, { ...location.search })).catch(ignore);
  };

/** The same for the page of one record; throws `notFound()` if the address has no uid. */
export const startRecord =
  (screens: { startRecord: (client: QueryClient, uid: string) => void }) =>
  ({ cause, context, params }: Start & { readonly params: { readonly uid: string } }): void => {
    const uid = paramToUid(params.uid);
    if (!isUid(uid)) throw notFound();
    if (cause !== "stay") screens.startRecord(context.queryClient, uid);
  };
