import { expect } from "vitest";

import { omitPaths, PLAIN, type Behavior } from "platform-contract/behavior";
import { resourceOf } from "platform-contract";
import { codeName } from "platform-contract/status";

import type { Answer } from "../testing/app";
import { BODIES, samplesOf, type Sample } from "./samples";
import { fieldsOf, World, type Person, type Wire } from "./world";

export const OLD = "2000-01-01T00:00:00.000Z";
/** Output-only fields, which a caller may send anyway. */
export const OUTPUT = { uid: "0".repeat(40), createTime: OLD, updateTime: OLD };

/** Common setup for the laws of single records. */
export class Ground {
  private constructor(
    readonly world: World,
    readonly owner: Person,
    readonly organization: string,
    readonly folder: string,
    /** The parents of new records, by the collection of the parent. */
    readonly places: Readonly<Record<string, string>>,
    /** Sample records, by collection. */
    readonly samples: ReadonlyMap<string, Sample>,
  ) {}

  static async open(variables?: Readonly<Record<string, string>>): Promise<Ground> {
    const world = await World.open(variables);
    const owner = await world.person("owner");
    const organization = await world.create(owner, "groups", "", { name: "organization" });
    const folder = await world.create(owner, "groups", organization, { name: "folder" });
    const repo = await world.create(owner, "repos", organization, { name: "repo" });
    const bots: string[] = [];
    for (const name of ["one", "two"])
      bots.push(await world.create(owner, "identities", organization, { name, ...world.claims(name) }));
    const provider = BODIES["identityProviders"]!(world, owner, folder);
    const identityProviders = await world.create(owner, "identityProviders", folder, provider);
    const places = { groups: folder, repos: repo, identityProviders };
    return new Ground(
      world,
      owner,
      organization,
      folder,
      places,
      samplesOf(world, owner, bots, organization),
    );
  }

  /** @returns the uid of a record created by the owner */
  create(collection: string, parent: string, body: unknown): Promise<string> {
    return this.world.create(this.owner, collection, parent, body);
  }
}

/** The fields of a record that a caller can set. */
export const settableOf = ({ made }: Sample, record: Wire): Wire =>
  Object.fromEntries(Object.keys(made).map((key) => [key, record[key]]));

const behaviorOf = (name: string): Behavior => resourceOf(name)?.behavior ?? PLAIN;

/** The fields that a caller sent as responses show them: without input-only ones. */
export const hidden = (name: string, fields: Wire): Wire => {
  const { inputOnly, secret } = behaviorOf(name);
  return omitPaths(fields, [...inputOnly, ...secret]);
};
export const answered = (name: string, sample: Sample): Sample => ({
  ...sample,
  made: hidden(name, sample.made),
  other: hidden(name, sample.other),
});

/** The response to a create as a get repeats it. */
export const onceHidden = (name: string, record: Wire): Wire => omitPaths(record, behaviorOf(name).shownOnce);

/** The response to a get without what no other response has: the state of a SCIM token. */
export const asWritten = (record: Wire): Wire => omitPaths(record, ["scim.credentialState"]);

/** A sample without create-only fields. */
export const changeable = (name: string, sample: Sample): Sample => {
  const { createOnly } = behaviorOf(name);
  return { ...sample, made: omitPaths(sample.made, createOnly), other: omitPaths(sample.other, createOnly) };
};

/** Expects rejection because of exactly these fields. */
export const invalid = (answer: Answer, fields: readonly string[]): void => {
  expect([codeName(answer.json.code), ...fieldsOf(answer)]).toEqual(["INVALID_ARGUMENT", ...fields]);
};
