import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { tags } from "platform-contract/registry/tags";

import { platformOf } from "../../../src/api/client/platform-command";
import { readOptions } from "../cli/options";
import { kindNamed, KINDS } from "./kinds";
import { queryOf } from "./options";
import { get, list } from "./read";
import { create, remove, update } from "./write";

const COMMANDS = { get, list, create, update, delete: remove };
const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;

/** The words that a shell makes of a command of the console, and what it gives on standard input. */
function ran(command: string | undefined) {
  const script = `platform() { printf '%s\\0' "$@"; printf '\\1'; [ -z "$reads" ] || cat; }\n${command}`;
  const reads = command?.includes("<<") ? "1" : "";
  const out = execFileSync("sh", ["-c", script], { encoding: "utf8", env: { ...process.env, reads } });
  const [words = "", input = ""] = out.split("\u0001");
  const [verb = "", ...args] = words.split("\0").slice(0, -1);
  const command_ = COMMANDS[verb as keyof typeof COMMANDS];
  return { verb, given: readOptions(args, command_.options(args)), input };
}

test.each(KINDS.map((kind) => [kind.collection, kind] as const))(
  "the console's commands for %s are ones that the command takes",
  (_name, kind) => {
    const query = {
      "uidp.descendants_of": uid,
      "uidp.ids": [uid, "c"],
      order_by: "name desc",
      "uidp.in_root": true,
      page_size: 50,
    };
    const listed = ran(platformOf({ endpoint: kind.list, query })).given;
    expect(kindNamed(listed.positionals[0] ?? "")).toBe(kind);
    const { page_size: _size, ...rest } = query;
    expect(queryOf(kind, listed)).toEqual(rest);
    expect(listed.text("limit")).toBe("50");
    if (kind.get)
      expect(ran(platformOf({ endpoint: kind.get, path: { uid } })).given.positionals[1]).toBe(uid);
    if (kind.delete)
      expect(ran(platformOf({ endpoint: kind.delete, path: { uid } })).given.positionals[1]).toBe(uid);
  },
);

test("what a write sends, and why, survives the shell", () => {
  const body = { name: "it's $HOME `x`\nJSON", description: "\\" };
  const justification = "because 'it' $must";
  const made = ran(platformOf({ endpoint: groups.create, path: { parent: uid }, body, justification }));
  expect(JSON.parse(made.input)).toEqual(body);
  expect([made.given.text("parent"), made.given.text("reason"), made.given.text("file")]).toEqual([
    uid,
    justification,
    "-",
  ]);
  const mask = { updateMask: "claimMatch.subject,description" };
  const changed = ran(platformOf({ endpoint: identities.update, path: { uid }, query: mask, body }));
  expect(changed.given.text("mask")).toBe(mask.updateMask);
  const filter = ran(platformOf({ endpoint: tags.list, query: { name: "a; rm -rf $x '" } }));
  expect(filter.given.text("name")).toBe("a; rm -rf $x '");
});

test("what the command cannot do has none", () => {
  expect(platformOf({ endpoint: lookupIdentity, query: {} })).toBeUndefined();
  expect(platformOf({ endpoint: groups.list, query: { skip: 3 } })).toBeUndefined();
  expect(platformOf({ endpoint: groups.list, query: { "uidp.in_root": false } })).toBeUndefined();
  expect(platformOf({ endpoint: { method: "GET", path: "/x", summary: "x" } })).toBeUndefined();
});
