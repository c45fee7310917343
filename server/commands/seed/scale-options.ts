import { parseArgs } from "node:util";

import { ConfigError } from "../../config";
import type { AdvisorySize } from "./scale-advisories";
import { ROLES, type ScaleSize } from "./scale-plan";
import type { RegistrySize } from "./scale-registry-plan";

export interface ScaleOptions extends ScaleSize, RegistrySize, AdvisorySize {
  /** For each number, a viewer of that many separate groups. */
  readonly visible: readonly number[];
}

export const USAGE = `platform-console seed [options]

Writes the organization "scale" into the database of DATA_DIR (stop the service first) or DATABASE_URL, to test a machine with
much data; the owner is ADMIN_EMAIL. Not into an installation that people use.

  --groups N       groups, including the organization (100000)
  --depth N        levels of groups, 2 to 32 (10)
  --identities N   workload identities (100000)
  --bindings N     role bindings, at most three per identity (a tenth of the identities)
  --repos N        repos, spread across the groups (none)
  --tags N         tags with manifests, 12% of them in one repo (50 per repo)
  --advisories N   advisories of the organization, with vulnerability metadata (none)
  --visible N,N    for each number, an account scale-viewer-N@demo.example that sees N separate groups (none)`;

const DEEPEST = 32;

/** Reads the command line. Throws a ConfigError that names every bad option. */
export function readOptions(words: readonly string[]): ScaleOptions {
  const problems: string[] = [];
  const { values } = parse(words);
  const number = (name: string, text: string, minimum: number, maximum: number): number => {
    const value = Number(text);
    const fits = /^\d+$/.test(text) && value >= minimum && value <= maximum;
    if (!fits) problems.push(`--${name}: "${text}" is not a whole number from ${minimum} to ${maximum}`);
    return value;
  };
  const depth = number("depth", values.depth, 2, DEEPEST);
  const groups = number("groups", values.groups, Math.max(depth || 2, 2), 5_000_000);
  const identities = number("identities", values.identities, 0, 5_000_000);
  const bindings =
    values.bindings === undefined
      ? Math.floor(identities / 10)
      : number("bindings", values.bindings, 0, Math.max(identities || 0, 0) * ROLES.length);
  const repos = number("repos", values.repos, 0, 1_000_000);
  const tags =
    values.tags === undefined ? repos * 50 : number("tags", values.tags, 0, repos > 0 ? 20_000_000 : 0);
  const advisories = number("advisories", values.advisories, 0, 5_000_000);
  const visible = (values.visible ?? "")
    .split(",")
    .filter((text) => text !== "")
    .map((text) => number("visible", text.trim(), 1, Math.max(groups || 1, 1)));
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return { groups, depth, identities, bindings, repos, tags, advisories, visible: [...new Set(visible)] };
}

function parse(words: readonly string[]) {
  const text = (fallback: string) => ({ type: "string", default: fallback }) as const;
  try {
    return parseArgs({
      args: [...words],
      options: {
        groups: text("100000"),
        depth: text("10"),
        identities: text("100000"),
        bindings: { type: "string" },
        repos: text("0"),
        tags: { type: "string" },
        advisories: text("0"),
        visible: { type: "string" },
      },
    });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}
