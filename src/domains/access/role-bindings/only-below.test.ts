import { expect, it } from "vitest";

import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { onlyBelow } from "./only-below";

const ROOT = "a".repeat(40);
const [team, night] = [`${ROOT}/${"1".repeat(16)}`, `${ROOT}/${"1".repeat(16)}/${"2".repeat(16)}`];
const [ann, bo] = ["b".repeat(40), "c".repeat(40)];
const bot = `${night}/${"d".repeat(16)}`;
const binding = (group: string, identityUid: string, n = "3"): RoleBinding => ({
  uid: `${group}/${n.repeat(16)}`,
  identityUid,
});

it("counts each person and machine once, without those that have a role in the group or above", () => {
  const all = [binding(ROOT, ann), binding(night, ann, "4"), binding(night, bo), binding(night, bo, "5")];
  expect(onlyBelow(team, [...all, binding(night, bot, "6")])).toMatchObject({ people: 1, machines: 1 });
  expect(onlyBelow(ROOT, all)).toMatchObject({ people: 1, machines: 0 });
  expect(onlyBelow(ROOT, all).rows).toEqual([all[2], all[3]]);
  expect(onlyBelow(night, all)).toMatchObject({ people: 0, machines: 0 });
});

it("leaves out roles without effect, of machines that belong to another folder", () => {
  const idle = binding(ROOT, bot);
  expect(onlyBelow(team, [idle, binding(night, bot, "4")])).toMatchObject({ people: 0, machines: 1 });
  expect(onlyBelow(ROOT, [binding(team, bot)])).toMatchObject({ people: 0, machines: 0 });
});
