import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { ApiError } from "platform-client/errors";
import type { Capability } from "platform-contract/capability";
import { endpoint } from "platform-contract/endpoint";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { kinds } from "platform-contract/kinds";
import { pathOfKind } from "platform-contract/kind";

/** Last step of a uid that no record has. */
const NO_RECORD = "0".repeat(16);
/** Maximum number of groups to ask at. */
const MAX_GROUPS = 6;

/** The kind whose records can be read with this capability. */
const readWith = (capability: Capability) =>
  kinds.find(({ access }) => access.get !== undefined && access.get.needs[0] === capability);

/** True if a capability can be asked about: some kind of record is read with it. */
export const canProbe = (capability: Capability): boolean => readWith(capability) !== undefined;

/**
 * Asks whether the caller may see records of a kind, where their role bindings don't tell: reads one that doesn't
 * exist. The service decides on access before it looks, so a refusal means that the kind is hidden, and
 * "not found" that it isn't. A list doesn't tell: it is empty in both cases.
 */
async function isHidden(capability: Capability, group: string, signal: AbortSignal): Promise<boolean> {
  const kind = readWith(capability);
  if (!kind?.access.get) return false;
  const { collection, noun, keyedByParent } = kind;
  const get = endpoint({
    collection,
    verb: "get",
    method: "GET",
    path: `${pathOfKind(kind)}/{uid}`,
    access: kind.access.get,
    summary: `Get one ${noun}`,
  });
  try {
    await call(get, { path: { uid: keyedByParent ? group : `${group}/${NO_RECORD}` }, signal });
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return false;
    if (error instanceof ApiError && error.code === "PERMISSION_DENIED") return true;
    throw error;
  }
}

/**
 * Whether a kind is hidden from the caller in all of these groups; false for no capability. The key starts with
 * `roleBindings`, so that every write that changes a binding invalidates it.
 */
export const hiddenQuery = (capability: Capability | undefined, groups: readonly string[]) =>
  queryOptions({
    queryKey: [roleBindings.collection, "hidden", capability, groups.join()] as const,
    queryFn: async ({ signal }) => {
      if (capability === undefined) return false;
      const answers = await Promise.all(
        groups.slice(0, MAX_GROUPS).map((group) => isHidden(capability, group, signal)),
      );
      return answers.every(Boolean);
    },
    staleTime: 60_000,
  });
