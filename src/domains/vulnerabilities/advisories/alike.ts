import { parentOf } from "platform-contract/aip";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { grouped, vulnerabilityOf } from "~/domains/vulnerabilities/vulnerability-reports/distinct";

import { verdictOf } from "./verdict";

const known = new WeakMap<Advisory, string>();

function textOf(advisory: Advisory): string {
  const { uid, aliases, advisoryId, artifactName, artifactType, componentName, componentLocation } = advisory;
  const { appliesTo, severities, exploitation, deleteTime } = advisory;
  const { event, ...said } = verdictOf(advisory);
  return JSON.stringify([
    [parentOf(uid), vulnerabilityOf({ id: advisoryId || uid, aliases })],
    [artifactName, artifactType, componentName, componentLocation, appliesTo],
    [severities, exploitation, deleteTime !== undefined],
    [said, event?.sourceId, event?.sourceUrl],
  ]);
}

/** The same text for advisories that differ only by the architecture that they are about. */
export function exceptArchitecture(advisory: Advisory): string {
  const text = known.get(advisory) ?? textOf(advisory);
  known.set(advisory, text);
  return text;
}

/** What differs only by architecture, together; `more`: what else must be the same. In the order of the first ones. */
export const byArchitecture = <T extends { readonly advisory: Advisory }>(
  some: readonly T[],
  more: (one: T) => unknown,
): readonly (readonly T[])[] => [
  ...grouped(some, (one) => JSON.stringify([exceptArchitecture(one.advisory), more(one)])).values(),
];
