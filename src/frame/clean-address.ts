import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";

import type { Address } from "./scope/address";
import { readScopeSearch } from "./scope/scope";
import { toast } from "~/ui/feedback/toast-store";

/**
 * Returns the view that the address describes. Removes parameters without a meaning (an unknown name, an invalid
 * filter value) from the address bar, since a copied link would pass them on, and says which.
 */
export function useCleanAddress<V extends object>(read: (address: Address) => V): V {
  // Not by `select`, whose result would be another object, and render the screen, with each step of a navigation.
  const address: Address = useSearch({ strict: false, structuralSharing: false });
  const navigate = useNavigate();
  const view = read(address);
  const meant: Address = { ...readScopeSearch(address), ...view };
  const wrong = Object.keys(address).filter((name) => address[name] !== meant[name]);
  const corrections = JSON.stringify(wrong.map((name) => [name, meant[name] ?? null]));
  useEffect(() => {
    const entries: [string, string | null][] = JSON.parse(corrections);
    if (entries.length === 0) return;
    const ignored = entries.flatMap(([name, value]) => (value === null ? [name] : []));
    if (ignored.length > 0) toast(`Ignored in this address: ${ignored.join(", ")}`, undefined, "info");
    const change = Object.fromEntries(entries.map(([name, value]) => [name, value ?? undefined]));
    void navigate({
      to: ".",
      search: (current: object) => ({ ...current, ...change }),
      replace: true,
      state: true,
      resetScroll: false,
    });
  }, [corrections, navigate]);
  return view;
}
