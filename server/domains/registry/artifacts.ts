import { parseOrder } from "platform-contract/aip";
import {
  countArtifacts,
  ECOSYSTEMS,
  LIBRARIES_ACCESS,
  listArtifacts,
  type Ecosystem,
} from "platform-contract/libraries/artifacts";
import { listArtifactVersions } from "platform-contract/libraries/versions";

import { visibleGroups, type Caller } from "../../platform/access/caller";
import { notFound } from "../../status";
import { keyedPage } from "../../platform/store/lists/keyed-pages";
import {
  ARTIFACT_SORT,
  artifactKeys,
  countByEcosystem,
  hasArtifact,
  readArtifacts,
  readVersions,
  VERSION_SORT,
  versionKeys,
  type ArtifactFilters,
} from "./artifacts.table";
import type { Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";

/** Artifacts are in no group: callers with the capability anywhere see all of them, others none. */
const seesArtifacts = (caller: Caller): boolean =>
  visibleGroups(caller, LIBRARIES_ACCESS.needs[0]).length > 0;

/** The known ecosystems of the query, deduplicated, in its order. */
const named = (query: Readonly<Record<string, unknown>>): Ecosystem[] =>
  [
    ...new Set((query["ecosystems"] as string[]).filter((one) => ECOSYSTEMS.includes(one as Ecosystem))),
  ] as Ecosystem[];

/** Packages of language ecosystems. */
export function artifactHandlers({ config, database, tokens }: Context): Map<string, Handler> {
  const list: Handler = async ({ caller, query }) => {
    const seen = seesArtifacts(caller);
    const order = parseOrder(String(query["order_by"] ?? ""), ["uid", ...Object.keys(ARTIFACT_SORT)]) ?? {
      field: "name",
      descending: false,
    };
    const filters = { ...query, ecosystems: seen ? named(query) : [] } as ArtifactFilters;
    const sort = ARTIFACT_SORT[order.field];
    const { keys, next, ...rest } = await keyedPage(database, tokens, {
      list: listArtifacts.id,
      caller: caller.key,
      query,
      order,
      value: sort?.type,
      keys: (bind) => artifactKeys(filters, sort, bind),
    });
    const artifacts = await readArtifacts(database, keys);
    return {
      artifacts: artifacts.map((one) => withoutUnset(one)),
      ...rest,
      nextPageToken: await next(keys.length),
    };
  };

  const versions: Handler = async ({ caller, query, path: { artifactId = "" } }) => {
    if (!seesArtifacts(caller) || !(await hasArtifact(database, artifactId)))
      throw notFound(`libraries.${config.serviceDomain}/Artifact`, artifactId);
    const order = parseOrder(String(query["order_by"] ?? ""), ["uid", ...Object.keys(VERSION_SORT)]) ?? {
      field: "version",
      descending: true,
    };
    const sort = VERSION_SORT[order.field];
    const { keys, next, ...rest } = await keyedPage(database, tokens, {
      list: listArtifactVersions.id,
      caller: caller.key,
      // Part of the query, so that a page token of another artifact does not apply.
      query: { ...query, artifactId },
      order,
      value: sort?.type,
      keys: (bind) => versionKeys(artifactId, sort, bind),
    });
    const artifactVersions = await readVersions(database, keys);
    return {
      artifactVersions: artifactVersions.map((one) => withoutUnset(one)),
      ...rest,
      nextPageToken: await next(keys.length),
    };
  };

  const count: Handler = async ({ caller, query }) => {
    const asked = named(query);
    if (!seesArtifacts(caller)) return { counts: asked.map((ecosystem) => ({ ecosystem, totalCount: "0" })) };
    return { counts: await countByEcosystem(database, asked) };
  };

  return new Map([
    [listArtifacts.id, list],
    [listArtifactVersions.id, versions],
    [countArtifacts.id, count],
  ]);
}
