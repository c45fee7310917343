import { PYTHON } from "platform-contract/libraries/artifacts";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { writeVersions, type VersionDraft } from "../../domains/registry/artifact-writes.table";
import { versionKey } from "../../platform/store/versions/version-key";
import { chance } from "./demo-chance";
import { LIBRARIES, type DemoLibrary } from "./demo-libraries-data";

const DAY = 86_400_000;
/** Age of the oldest version in days. */
const PUBLISHED = 700;

/** The versions of a library, oldest first: usually increments the last number, every fourth time the one before it. */
function versionsOf({ name, from, suffix = "", releases, ecosystem }: DemoLibrary): string[] {
  const numbers = from.split(".").map(Number);
  const versions: string[] = [];
  for (let index = 0; index < releases; index += 1) {
    const last = numbers.length - 1;
    const next = numbers.join(".");
    // Some are preceded by a release candidate.
    const candidate = index > 0 && numbers[last] === 0 && chance(`${name} ${index} candidate`, 2) === 0;
    if (candidate) versions.push(`${next}${ecosystem === PYTHON ? "rc1" : "-RC1"}`);
    versions.push(`${next}${suffix}`);
    if (last > 1 && chance(`${name} ${index} minor`, 4) === 0) {
      numbers[last - 1] = (numbers[last - 1] ?? 0) + 1;
      numbers[last] = 0;
    } else numbers[last] = (numbers[last] ?? 0) + 1;
  }
  return versions;
}

function draftsOf(library: DemoLibrary, start: number): VersionDraft[] {
  const { ecosystem, name, description, size, cuda = [] } = library;
  const versions = versionsOf(library);
  // Some libraries were rebuilt with fixes that upstream only has in later versions.
  const rebuilt = chance(`${name} rebuilt`, 3) === 0;
  return versions.map((version, index) => {
    const age = (PUBLISHED * (versions.length - index)) / versions.length - chance(`${name} ${version}`, 9);
    const createdAt = new Date(start - Math.max(age, 1) * DAY);
    const remediated = rebuilt && chance(`${name} ${version} remediated`, 3) === 0;
    const again = remediated ? Math.min(age, 30) / 2 : 0;
    return {
      ecosystem,
      name,
      version,
      sortKey: versionKey(ecosystem, version) ?? "",
      description,
      sizeBytes: String(size * 1_000 + index * size * 7 + chance(`${name} ${version} size`, 999)),
      remediated,
      cudaVersions: index >= (versions.length * 2) / 3 ? cuda : [],
      createdAt,
      updatedAt: new Date(createdAt.getTime() + again * DAY),
    };
  });
}

/** Seeds libraries of both ecosystems, the same in every installation except for their times. */
export async function seedLibraries(queries: Queries): Promise<void> {
  const start = now().getTime();
  await writeVersions(
    queries,
    LIBRARIES.flatMap((library) => draftsOf(library, start)),
  );
}
