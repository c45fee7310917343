import type { Endpoint } from "./endpoint";

/** Areas of this service that the published API does not have. */
const OWN_AREA =
  /^\/(?:access|audit|events-log|federation|image-packages|notices|registry-images|registry-retention|registry-usage|snapshots)\//;

/** Operations of this service in the published areas. */
const OWN: ReadonlySet<string> = new Set([
  "accessRequests.decline",
  "accessRequests.list",
  "accessRequests.own",
  "groups.acceptAccess",
  "groups.offered",

  "identityProviders.getPushed",
]);

/** True if neither the specification nor the published API has this operation: other services answer UNIMPLEMENTED. */
export const isExtension = ({ id, path }: Pick<Endpoint, "id" | "path">): boolean =>
  OWN_AREA.test(path) || OWN.has(id);
