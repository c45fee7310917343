import { useRouteContext } from "@tanstack/react-router";

import { useRefusal } from "~/frame/permissions/use-can";
import { frameParts } from "~/frame/parts";
import type { Definition } from "~/ui/display/definition-list";

const READS = { access: { at: "uid", needs: ["CAP_TAG_LIST"] } } as const;

/** The fact which rule deletes old tags of a group or repo; none if the service runs no rules, or hides them. */
export function useRetentionFact(place: string, isRepo: boolean): readonly Definition[] {
  const { RetentionFact } = frameParts();
  const runs = useRouteContext({ strict: false, select: ({ config }) => config?.retention === true });
  const refused = useRefusal()(READS, place);
  return RetentionFact && runs && refused === undefined
    ? [{ term: "Retention", value: <RetentionFact place={place} isRepo={isRepo} />, wide: true }]
    : [];
}
