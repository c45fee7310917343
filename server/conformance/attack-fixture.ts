import { expect } from "vitest";

import { codeName, type CodeName } from "platform-contract/status";

import type { Answer } from "../testing/app";
import { fieldsOf, World, type Person, type Wire } from "./world";

/** The attackers and their victims. */
export class AttackFixture {
  constructor(
    readonly world: World,
    /** Owner of the organization. */
    readonly owner: Person,
    /** Owner of another organization. */
    readonly stranger: Person,
    /** Has no role anywhere. */
    readonly outsider: Person,
    readonly organization: string,
    readonly folder: string,
    readonly sibling: string,
  ) {}

  static async open(): Promise<AttackFixture> {
    const world = await World.open();
    const owner = await world.person("owner");
    const group = (name: string, parent = "") => world.create(owner, "groups", parent, { name });
    const organization = await group("organization");
    return new AttackFixture(
      world,
      owner,
      await world.person("stranger"),
      await world.person("outsider"),
      organization,
      await group("folder", organization),
      await group("sibling", organization),
    );
  }

  /** @returns the uid of the identity */
  identity(by: Person, parent: string, name: string, relationship: Wire): Promise<string> {
    return this.world.create(by, "identities", parent, { name, ...relationship });
  }

  /** A person who can read everything in the folder and bind roles there, nothing else. */
  async binder(): Promise<Person> {
    const capabilities = [
      "role_bindings.create",
      "role_bindings.update",
      "role_bindings.list",
      "groups.list",
    ];
    const binder = await this.world.holder(this.owner, "binder", capabilities, this.folder);
    await this.world.bind(this.owner, this.folder, binder.uid, "viewer");
    return binder;
  }

  /** Creates a machine that owns the folder; returns it and its binding. */
  async strong(): Promise<{ uid: string; binding: string }> {
    const uid = await this.identity(this.owner, this.folder, "strong", this.world.claims("strong"));
    const binding = await this.world.bind(this.owner, this.folder, uid, "owner");
    return { uid, binding: binding["uid"] };
  }

  /** Creates another organization, with an identity and a role. */
  async elsewhere(): Promise<{ group: string; identity: string; role: string }> {
    const { world, stranger } = this;
    const { uid: group } = await world.make(stranger, "groups.create", { body: { name: "elsewhere" } });
    const body = { name: "theirs", capabilities: ["groups.list"] };
    const { uid: role } = await world.make(stranger, "roles.create", { parent: group, body });
    return { group, identity: await this.identity(stranger, group, "theirs", world.claims("theirs")), role };
  }

  /** Expects the attempt to fail with this code, on these fields if any, and to change no record. */
  async fails(code: CodeName, fields: readonly string[], attempt: () => Promise<Answer>): Promise<void> {
    const answer = await this.world.unchanged(attempt);
    expect([codeName(answer.json.code), ...fieldsOf(answer)]).toEqual([code, ...fields]);
  }

  readonly denied = (attempt: () => Promise<Answer>) => this.fails("PERMISSION_DENIED", [], attempt);
  readonly invalid = (field: string, attempt: () => Promise<Answer>) =>
    this.fails("INVALID_ARGUMENT", [field], attempt);

  /** True if a token can read a group, by default the folder. */
  readonly opens = async (token: string, uid = this.folder): Promise<boolean> =>
    (await this.world.send(token, "groups.get", { uid })).status === 200;
}
