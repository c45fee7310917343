import type { QueryClient } from "@tanstack/react-query";
import { notFound } from "@tanstack/react-router";

import { isUid } from "~/contract/aip";
import type { Address, ListSearch } from "./list-search";
import { readScopeSearch } from "~/features/scope/scope";
import { paramToUid } from "~/features/scope/uid-param";

import type { PageView } from "./define";

interface Start {
  readonly cause: string;
  readonly context: { readonly queryClient: QueryClient };
}

/** Search parameters as text. What they mean the screen says, whose code is not loaded yet; its types are known. */
const anySearch = <S extends object>(address: Address): S =>
  ({ ...address, ...readScopeSearch(address) }) as S;

/** The search parameters of a list with the filters of `S`. */
export const listSearch = anySearch as <S extends object>(address: Address) => ListSearch & S;
/** Those of the page of one record. */
export const pageSearch = anySearch<PageView>;

const ignore = () => undefined;

/**
 * A loader that asks for the list while the code of the screen is still on its way; what fails, the screen says. It is done once
 * it has asked, so that the first drawing knows what to wait for.
 */
export const startList =
  (load: () => Promise<{ startList: (client: QueryClient, address: Address) => unknown }>) =>
  async ({ cause, context, location }: Start & { readonly location: { readonly search: object } }) => {
    if (cause === "stay") return;
    try {
      const screens = await load();
      // What it asks for nobody waits for here, and what fails there is no defect of the page.
      Promise.resolve(screens.startList(context.queryClient, location.search as Address)).catch(ignore);
    } catch {
      // The screen's own code fails the same way, and says so.
    }
  };

/** The same for the page of one record; an address without a uid is that of no page. */
export const startRecord =
  (load: () => Promise<{ startRecord: (client: QueryClient, uid: string) => void }>) =>
  async ({ cause, context, params }: Start & { readonly params: { readonly uid: string } }) => {
    const uid = paramToUid(params.uid);
    if (!isUid(uid)) throw notFound();
    if (cause === "stay") return;
    await load()
      .then((screens) => screens.startRecord(context.queryClient, uid))
      .catch(ignore);
  };
