import { INHERITED, type Repo, type RepoInput } from "~/contract/registry/repos";
import { changesBetween, type Changes } from "~/kit/form/changes";

import { fromOverlay, overlayOf, type OverlayValues } from "./-overlay-values";
import { pruned } from "./-pruned";
import { NO_TIER } from "./-repo-words";

/** The form's fields: the API's, with nothing left out. */
export interface RepoValues {
  /** uid of the group that it is created in; "" while nobody has chosen one. */
  parent: string;
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

/** The form's fields for a stored repo, or for a new one. */
export function fromRepo(repo: Partial<Repo>, parent = ""): RepoValues {
  const { name = "", description = "", catalogTier = "", sync_config, customOverlay } = repo;
  const { bundles = [], aliases = [], activeTags = [] } = repo;
  const { source = "", google = "", amazon = "", azure = "" } = sync_config ?? {};
  return {
    parent,
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

/** Whether it copies another repo, by what stands in the form. */
export const copies = ({ sync_config }: Pick<RepoValues, "sync_config">): boolean =>
  sync_config.source.trim() !== "";

/**
 * The request's body; incomplete where fields are empty. Spaces around a text are slips of the hand. What a synced repo
 * has from its source stays as the form was `opened` with, whatever was entered before there was a source.
 */
export function toBody(values: RepoValues, opened: RepoValues): RepoInput {
  const { name, description, sync_config, customOverlay } = values;
  const shown = copies(values) ? opened : values;
  const inherited = Object.fromEntries(INHERITED.map((field) => [field, shown[field]]));
  const overlay = overlayOf(customOverlay);
  const { environment, annotations } = customOverlay;
  const body = pruned({ name, description, ...inherited, sync_config, customOverlay: overlay }, [
    environment,
    annotations,
  ]);
  return (body ?? {}) as RepoInput;
}

const MAPS = ["customOverlay.environment", "customOverlay.annotations"];

/** What an update has to say. A copy that begins or ends is one change, since no part of it can stand alone. */
export const changesOf = (before: RepoInput, after: RepoInput): Changes<RepoInput> =>
  changesBetween(
    before,
    after,
    new Set([...MAPS, ...(before.sync_config && after.sync_config ? [] : ["sync_config"])]),
  );
