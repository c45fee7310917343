import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { eventTypeOf, newestEvent } from "platform-contract/vulnerabilities/events";

import { World, type Person } from "../../conformance/world";
import type { Row } from "../../platform/store/database";
import { DIGEST, forgetFiles } from "../../testing/ingesting";
import { ingest } from "./ingest";

/** Small inputs, each with the shape of something that went wrong on a real feed, and what is right for each. */
interface Case {
  /** In this order. */
  readonly files: readonly string[];
  /** Why the first file is refused. */
  readonly refused?: string;
  /** A line for each advisory: package, where it holds, verdict, affected ranges and versions. */
  readonly verdicts?: readonly string[];
  /** The same of those that are withdrawn, with the reason. */
  readonly withdrawn?: readonly string[];
  /** Aliases, severities, source record, and exploitation of each advisory. */
  readonly facts?: readonly string[];
  /** By id and version: what the service answers about each of its advisories, the worst first. */
  readonly versions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Those of the image. */
  readonly packages?: readonly string[];
  /** What is left out, and why. */
  readonly skipped?: readonly string[];
  /** What pages show of it, which `e2e/vulnerabilities/advisory-cases.long.spec.ts` compares. */
  readonly page?: object;
  readonly image?: object;
}
const folder = fileURLToPath(new URL("cases/", import.meta.url));
const cases = JSON.parse(readFileSync(`${folder}expected.json`, "utf8")) as readonly Case[];

const LIST = "/vulnerabilities/v2/advisories?page_size=200&order_by=name";

let world: World;
let owner: Person;
let group: string;
beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  group = await world.create(owner, "groups", "", { name: "acme" });
});
afterAll(() => world.service.stop());
beforeEach(() => forgetFiles(world.service.database));

async function take(files: readonly string[]): Promise<string[]> {
  const skipped: string[] = [];
  for (const name of files) {
    const chunks = createReadStream(folder + name);
    skipped.push(...(await ingest(world.service.database, chunks, { group, digest: DIGEST })).skipped);
  }
  return skipped;
}

async function advisories(query = ""): Promise<Advisory[]> {
  const { status, json } = await world.service.call("GET", LIST + query, { token: owner.token });
  expect(status).toBe(200);
  return json["advisories"] as Advisory[];
}

const VERDICTS: Readonly<Record<string, string>> = {
  truePositiveDetermination: "affected",
  falsePositiveDetermination: "not affected",
  detection: "unknown",
};

const subjectOf = ({ artifactType, artifactName, appliesTo }: Advisory): string =>
  [`${artifactType}/${artifactName}`, appliesTo].filter(Boolean).join(" ");

function verdictOf(advisory: Advisory): string {
  const event = newestEvent(advisory.events ?? []);
  const type = event && eventTypeOf(event);
  const fix = event?.fixed?.fixedVersion;
  const ranges = (event?.affectedRanges ?? []).map(
    ({ introduced = "", fixed, lastAffected, limit }) =>
      `[${introduced}, ${lastAffected === undefined ? `${fixed ?? limit ?? ""})` : `${lastAffected}]`}`,
  );
  const status = type === "fixed" ? `fixed ${fix || "as it is"}` : VERDICTS[type ?? ""];
  return [subjectOf(advisory), status, ...ranges, ...(event?.affectedVersions ?? [])].join(" ");
}

const withdrawalOf = (advisory: Advisory): string =>
  [
    subjectOf(advisory),
    ...new Set(
      (advisory.events ?? []).flatMap(({ sourceId, withdrawTime, withdrawReason }) =>
        withdrawTime === undefined ? [] : [sourceId, withdrawTime, withdrawReason].filter(Boolean).join(" "),
      ),
    ),
  ].join(" | ");

function factsOf(advisory: Advisory): string {
  const { aliases = [], severities = [], exploitation, events = [] } = advisory;
  const { sourceId = "", sourceUrl = "" } = newestEvent(events) ?? {};
  return [
    subjectOf(advisory),
    aliases.join(" "),
    ...severities.map(({ type, score }) => `${type} ${score}`),
    ...(sourceId ? [`${sourceId} ${sourceUrl}`.trim()] : []),
    ...(exploitation ? [JSON.stringify(exploitation)] : []),
  ].join(" | ");
}

const ANSWERS = ["affected", "unknown", "not affected"];
const answerOf = (verdict = ""): string =>
  verdict.replace("VERSION_VERDICT_", "").replaceAll("_", " ").toLowerCase();

async function answerTo(id: string, version: string): Promise<string> {
  const found = await advisories(`&aliases=${id}&version=${encodeURIComponent(version)}`);
  const answers = found.flatMap(({ installedVersions = [] }) =>
    installedVersions.map(({ verdict }) => answerOf(verdict)),
  );
  return ANSWERS.filter((answer) => answers.includes(answer)).join(", ");
}

const packages = async (): Promise<string[]> =>
  (await world.service.database.query<Row>("select * from image_packages order by name, architecture")).map(
    ({ name, version, architecture, distribution }) => `${distribution} ${name} ${version} ${architecture}`,
  );

test("every file is a case", () => {
  const named = new Set(cases.flatMap(({ files }) => files));
  expect(readdirSync(folder).filter((name) => !named.has(name))).toEqual(["expected.json"]);
});

const named = cases.map((one): [string, Case] => [one.files.join(", then "), one]);
test.each(named)(
  "%s",
  async (_name, { files, refused, versions = {}, page: _page, image: _image, ...expected }) => {
    if (refused !== undefined) return await expect(take(files)).rejects.toThrow(refused);
    // Twice: importing again changes nothing.
    for (let round = 0; round < 2; round++) {
      const skipped = await take(files);
      const all = await advisories("&show_deleted=true");
      const found = {
        verdicts: all.filter(({ deleteTime }) => deleteTime === undefined).map(verdictOf),
        withdrawn: all.filter(({ deleteTime }) => deleteTime !== undefined).map(withdrawalOf),
        facts: all.map(factsOf),
        packages: await packages(),
        skipped,
      };
      for (const [what, lines] of Object.entries(expected)) {
        const own = found[what as keyof typeof found];
        expect(own.toSorted(), what).toEqual([...(lines as string[])].toSorted());
      }
      for (const [id, answers] of Object.entries(versions))
        for (const [version, answer] of Object.entries(answers))
          expect([id, version, await answerTo(id, version)]).toEqual([id, version, answer]);
      // Withdrawn ones are only shown on request.
      expect(await advisories()).toHaveLength(found.verdicts.length);
    }
  },
);
