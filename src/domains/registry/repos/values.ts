import { INHERITED, type Repo, type RepoInput } from "platform-contract/registry/repos";
import { NO_TIER } from "~/domains/registry/references/tiers";

import { fromOverlay, overlayOf, type OverlayValues } from "./overlay-values";

/** The form's fields: those of the API, all required. */
export interface RepoValues {
  name: string;
  description: string;
  /** "" for none. */
  catalogTier: string;
  bundles: string[];
  aliases: string[];
  activeTags: string[];
  sync_config: { source: string; google: string; amazon: string; azure: string };
  customOverlay: OverlayValues;
}

/** Returns the form's values for a stored repo, or for a new one. */
export function fromRepo(repo: Partial<Repo> = {}): RepoValues {
  const { name = "", description = "", catalogTier = "", sync_config, customOverlay } = repo;
  const { bundles = [], aliases = [], activeTags = [] } = repo;
  const { source = "", google = "", amazon = "", azure = "" } = sync_config ?? {};
  return {
    name,
    description,
    catalogTier: catalogTier === NO_TIER ? "" : catalogTier,
    bundles: [...bundles],
    aliases: [...aliases],
    activeTags: [...activeTags],
    sync_config: { source, google, amazon, azure },
    customOverlay: fromOverlay(customOverlay),
  };
}

/** True if the form has a source to copy from. */
export const copies = ({ sync_config }: Pick<RepoValues, "sync_config">): boolean =>
  sync_config.source.trim() !== "";

/**
 * Builds the request body, with texts trimmed. Omits empty fields, so it can be incomplete. The fields that a synced
 * repo inherits keep the values the form was `opened` with, whatever was entered before there was a source.
 */
export function toBody(values: RepoValues, opened: RepoValues): RepoInput {
  const { name, description, sync_config, customOverlay } = values;
  const shown = copies(values) ? opened : values;
  const inherited = Object.fromEntries(INHERITED.map((field) => [field, shown[field]]));
  const overlay = overlayOf(customOverlay);
  const { environment, annotations } = customOverlay;
  const body = omitEmpty({ name, description, ...inherited, sync_config, customOverlay: overlay }, [
    environment,
    annotations,
  ]);
  return (body ?? {}) as RepoInput;
}

/**
 * Removes empty values, since the wire format has no empty text, list or object. Returns undefined if
 * nothing remains. Trims texts. Keeps empty objects in lists, since their position identifies them. Keeps `maps`
 * verbatim: there an empty text is a value, and so are the spaces of `PS1="$ "`.
 */
export function omitEmpty(value: unknown, maps: readonly object[] = []): unknown {
  if (typeof value === "string") return value.trim() || undefined;
  if (Array.isArray(value)) {
    const kept = value.map((each) => omitEmpty(each, maps) ?? (typeof each === "object" ? {} : undefined));
    const found = kept.filter((each) => each !== undefined);
    return found.length > 0 ? found : undefined;
  }
  if (typeof value !== "object" || value === null) return value ?? undefined;
  if (maps.includes(value)) return Object.keys(value).length > 0 ? value : undefined;
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const inner = omitEmpty(each, maps);
    return inner === undefined ? [] : [[key, inner] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
