import { agrees } from "../cli/ask";
import { print, type Command } from "../cli/command";
import { UsageError } from "../cli/errors";
import { words, type Given } from "../cli/options";
import { printable } from "../output/printable";
import { connect } from "../session/session";
import { checkUid, kindNamed, KINDS, nameOf, operation, type AnyKind } from "./kinds";
import { BODY, fieldsOf, OUTPUT, REASON } from "./options";
import { checkOutput, show } from "./read";
import { bodyOfFields, bodyOfFile } from "./values";

/** The body that the options give: the file's, with the fields over it; `paths` are those of `--field`. */
function bodyOf(kind: AnyKind, given: Given): { body: Record<string, unknown>; paths: string[] | undefined } {
  const file = given.text("file");
  const fields = given.texts("field");
  if (file === undefined && fields.length === 0)
    throw new UsageError("What should it be? Use --file, or --field for each field.");
  const { body, paths } = bodyOfFields(kind, fields);
  if (file === undefined) return { body, paths };
  return { body: { ...bodyOfFile(kind, file), ...body }, paths: undefined };
}

export const create: Command = {
  words: "KIND",
  what: "creates a record",
  more: `Where a field has parts, name them: --field claimMatch.issuer=https://issuer.example
The fields are those of the kind: platform create KIND --help prints them.`,
  options: () => ({
    parent: {
      type: "string",
      value: "UID",
      what: "the group, or other record, that it goes into; a group without one is a new organization",
    },
    ...BODY,
    ...REASON,
    ...OUTPUT,
  }),
  details: fieldsOf,
  async run(given, signal) {
    const [name] = words(given, ["KIND"]);
    const kind = kindNamed(name);
    const endpoint = operation(kind, "create");
    const { body } = bodyOf(kind, given);
    const parent = given.text("parent");
    const above = KINDS.find(({ collection }) => collection === kind.parent);
    if (parent !== undefined) checkUid(parent, above);
    else if (above && above.collection !== kind.collection)
      throw new UsageError(
        `Where? Use --parent with the uid of its ${above.noun}: platform list ${nameOf(above)} prints them.`,
      );
    checkOutput(kind, given);
    const { client } = await connect(given.text("server"));
    const justification = given.text("reason");
    show(
      kind,
      given,
      await client.call(endpoint, { path: { parent: parent ?? "" }, body, justification, signal }),
    );
  },
};

export const update: Command = {
  words: "KIND UID",
  what: "changes fields of a record",
  more: `Without --mask, the fields change that the file or --field have; --field name= clears one.
With it, only the fields that it names change, and those of them that the file or --field lack are cleared.`,
  options: () => ({
    mask: {
      type: "string",
      value: "A,B",
      what: "the fields to change, separated by commas; * is all of them",
    },
    ...BODY,
    ...REASON,
    ...OUTPUT,
  }),
  details: fieldsOf,
  async run(given, signal) {
    const [name, uid] = words(given, ["KIND", "UID"]);
    const kind = kindNamed(name);
    const endpoint = operation(kind, "update");
    checkUid(uid, kind);
    const { body, paths } = bodyOf(kind, given);
    const mask = given.text("mask");
    if (mask?.split(",").includes(""))
      throw new UsageError("--mask takes the names of fields: name,description.");
    const updateMask = mask ?? paths?.join(",");
    checkOutput(kind, given);
    const { client } = await connect(given.text("server"));
    const justification = given.text("reason");
    const query = updateMask === undefined ? {} : { updateMask };
    show(kind, given, await client.call(endpoint, { path: { uid }, query, body, justification, signal }));
  },
};

export const remove: Command = {
  words: "KIND UID",
  what: "deletes a record, after a question",
  options: () => ({ yes: { type: "boolean", short: "y", what: "asks no question" }, ...REASON }),
  async run(given, signal) {
    const [name, uid] = words(given, ["KIND", "UID"]);
    const kind = kindNamed(name);
    const endpoint = operation(kind, "delete");
    checkUid(uid, kind);
    if (!given.has("yes") && process.stdin.isTTY !== true)
      throw new UsageError("Nobody can answer here whether to delete it: add --yes.");
    const { client } = await connect(given.text("server"));
    if (!given.has("yes")) {
      const found = await client.call(operation(kind, "get"), { path: { uid }, signal });
      const named = typeof found["name"] === "string" ? ` ${found["name"]}` : "";
      if (!(await agrees(printable(`Delete ${kind.noun}${named} (${uid})?`), signal))) {
        throw new UsageError("Nothing was deleted.");
      }
    }
    await client.call(endpoint, { path: { uid }, justification: given.text("reason"), signal });
    if (process.stdout.isTTY) print(printable(`Deleted ${kind.noun} ${uid}.`));
  },
};
