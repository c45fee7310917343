import { builtInRoleUid } from "../store/roles";
import type { Wire, World } from "./world";

export interface Sample {
  /** Every field that these laws change, as it is made. */
  readonly made: Wire;
  /** The same fields with other values. */
  readonly other: Wire;
  /** Fields that a full replacement may leave out. */
  readonly optional: readonly string[];
}

/** By collection. A new resource needs one more entry here; `bots` are two machines to bind. */
export function samplesOf(world: World, bots: readonly string[]): ReadonlyMap<string, Sample> {
  const text = { name: "before", description: "old" };
  const more = { name: "after", description: "new" };
  const optional = ["description"];
  return new Map<string, Sample>()
    .set("groups", { made: text, other: more, optional })
    .set("identities", {
      made: { ...text, ...world.claims("a") },
      other: { ...more, ...world.claims("b") },
      optional,
    })
    .set("roles", {
      made: { ...text, capabilities: ["CAP_IAM_GROUPS_LIST"] },
      other: { ...more, capabilities: ["CAP_IAM_ROLES_LIST", "CAP_IAM_IDENTITY_LIST"] },
      optional,
    })
    .set("roleBindings", {
      made: { identityUid: bots[0], roleUid: builtInRoleUid("viewer") },
      other: { identityUid: bots[1], roleUid: builtInRoleUid("editor") },
      optional: [],
    })
    .set("repos", {
      made: {
        ...text,
        catalogTier: "CATALOG_TIER_BASE",
        bundles: ["old"],
        customOverlay: { environment: { old: "" }, accounts: { runAs: "old" } },
      },
      other: {
        ...more,
        catalogTier: "CATALOG_TIER_AI",
        bundles: ["new", "newer"],
        customOverlay: { environment: { new: "1" }, accounts: { runAs: "new" } },
      },
      optional: ["description", "catalogTier", "bundles", "customOverlay"],
    })
    .set("tags", {
      made: { name: "1.0", digest: `sha256:${"a".repeat(64)}`, deprecated: true, bundles: ["old"] },
      other: { name: "1.1", digest: `sha256:${"b".repeat(64)}`, bundles: ["new", "newer"] },
      optional: ["deprecated", "bundles"],
    });
}
