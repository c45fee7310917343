import { iam } from "./001-iam";
import { provider } from "./002-provider";
import { registry } from "./003-registry";
import { tagCounts } from "./004-tag-counts";
import { grants } from "./005-grants";
import { limits } from "./006-limits";
import type { Migration } from "./migration";

/** In the order in which they run. */
export const migrations: readonly Migration[] = [iam, provider, registry, tagCounts, grants, limits];
