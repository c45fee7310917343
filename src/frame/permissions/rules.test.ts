import { afterEach, describe, expect, it } from "vitest";

import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { roleBindings } from "platform-contract/iam/role-bindings";

import { enterPast } from "~/api/client/moment";
import { pastAt } from "~/shell/moment/past";

import { UNKNOWN, type CurrentUserState } from "./read-current-user";
import { can, isSeenBelow, isUntold } from "./rules";

const root = "a".repeat(40);
const folder = `${root}/${"b".repeat(16)}`;
const leaf = `${folder}/${"c".repeat(16)}`;
const other = "f".repeat(40);
const viewer = {
  uid: "1".repeat(40),
  name: "viewer",
  capabilities: ["CAP_IAM_IDENTITY_LIST", "CAP_IAM_GROUPS_LIST"],
};
const owner = { uid: "2".repeat(40), name: "owner", capabilities: ["CAP_IAM_IDENTITY_CREATE"] };

const bind = (group: string, role: { uid: string }, serial = 1) => ({
  uid: `${group}/${serial.toString(16).padStart(16, "0")}`,
  identityUid: "9".repeat(40),
  roleUid: role.uid,
});
const known = (...bindings: CurrentUserState["bindings"]): CurrentUserState => ({
  state: "known",
  identityUid: "9".repeat(40),
  bindings,
  roles: [viewer, owner],
});

describe("a capability", () => {
  it("is held at the group of its binding and below, nowhere else", () => {
    const who = known(bind(folder, owner), bind(root, viewer, 2));
    expect(can(who, identities.create, folder)).toEqual({ allowed: true });
    expect(can(who, identities.create, leaf)).toEqual({ allowed: true });
    expect(can(who, identities.create, root)).toEqual({
      allowed: false,
      reason: "You need permission to create identities (identity.create) here",
      capability: "CAP_IAM_IDENTITY_CREATE",
    });
  });

  it("isn't told of a place without a known binding at it, above or below", () => {
    const who = known(bind(folder, viewer));
    const beside = `${root}/${"d".repeat(16)}`;
    expect([undefined, root, folder, leaf, other, beside].map((at) => isUntold(who, at))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(isUntold({ ...UNKNOWN }, folder)).toBe(true);
    expect(isUntold({ ...who, state: "loading" }, other)).toBe(false);
  });

  it("isn't held further up than its bindings, which is why somebody sees the groups above", () => {
    const who = known(bind(leaf, owner));
    expect(can(who, identities.create, root).allowed).toBe(false);
    expect(can(who, identities.create, folder).allowed).toBe(false);
    expect(isSeenBelow(known(bind(leaf, viewer)), identities.list, root)).toBe(true);
    expect(isSeenBelow(known(bind(leaf, viewer)), identities.list, leaf)).toBe(false);
    expect(isSeenBelow(known(bind(leaf, owner)), identities.list, root)).toBe(false);
  });

  it("adds up over bindings", () => {
    expect(can(known(bind(root, viewer), bind(folder, owner)), identities.create, leaf).allowed).toBe(true);
    expect(can(known(bind(root, viewer), bind(folder, owner)), identities.list, leaf).allowed).toBe(true);
  });

  it("is held somewhere or nowhere when no group is named", () => {
    expect(can(known(bind(folder, owner)), identities.create, undefined).allowed).toBe(true);
    expect(can(known(bind(folder, viewer)), identities.create, undefined).reason).toBe(
      "You need permission to create identities (identity.create)",
    );
  });

  it("is not needed to remove one's own role binding", () => {
    const own = bind(folder, viewer);
    expect(can(known(own), roleBindings.delete, own.uid).allowed).toBe(true);
    expect(can(known(own), roleBindings.delete, bind(folder, viewer, 2).uid).allowed).toBe(false);
    expect(can(known(own), roleBindings.update, own.uid).allowed).toBe(false);
  });

  it("to list also counts where it is held below", () => {
    expect(can(known(bind(leaf, viewer)), identities.list, folder).allowed).toBe(true);
    expect(can(known(bind(leaf, owner)), identities.list, folder).allowed).toBe(false);
  });

  it("reaches no further than the group that the identity lies in", () => {
    const who = {
      ...known(bind(root, owner), bind(folder, viewer, 2)),
      identityUid: `${folder}/${"d".repeat(16)}`,
    };
    expect(can(who, identities.create, folder).allowed).toBe(false);
    expect(can({ ...who, identityUid: `${root}/${"d".repeat(16)}` }, identities.create, folder).allowed).toBe(
      true,
    );
  });
});

describe("what is unknown is not denied", () => {
  it.each([
    ["nothing has loaded", undefined, folder],
    ["the service does not tell", UNKNOWN, folder],
    ["no binding that may be read covers the group", known(bind(other, viewer)), folder],
    ["the role could not be read", { ...known(bind(root, viewer)), roles: [] }, folder],
    ["it is asked of the root level, where nothing can be held", known(bind(root, viewer)), ""],
  ])("when %s", (_why, who, group) => {
    expect(can(who, identities.create, group)).toEqual({ allowed: true });
  });

  it("but nobody is", () => {
    const nobody: CurrentUserState = { ...UNKNOWN, state: "nobody" };
    expect(can(nobody, identities.create, folder).allowed).toBe(false);
    expect(can(nobody, identities.list, undefined).allowed).toBe(false);
    expect(can(nobody, groups.create, "").allowed).toBe(true);
    expect(can(nobody, lookupIdentity, folder).allowed).toBe(true);
  });
});

describe("a moment of the past", () => {
  afterEach(() => enterPast(undefined));

  it("can be read, and refuses whatever writes, also to those whose access is unknown", () => {
    enterPast(pastAt("2026-11-14T09:12:59.999Z"));
    const all = known(bind(root, owner), bind(root, viewer, 2));
    const reason = expect.stringContaining("go back to now");
    expect(can(all, identities.create, folder)).toEqual({ allowed: false, reason });
    expect(can(UNKNOWN, roleBindings.delete, folder)).toEqual({ allowed: false, reason });
    expect(can(all, groups.create, "")).toEqual({ allowed: false, reason });
    expect(can(all, groups.list, folder)).toEqual({ allowed: true });
  });
});
