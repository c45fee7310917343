import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isRefusal } from "platform-client/errors";
import { groups } from "platform-contract/iam/groups";
import { roles } from "platform-contract/iam/roles";
import { KINDS as FACTS, separated } from "platform-contract/kinds";
import { getReadme } from "platform-contract/registry/repos";

import { print, tell, type Command } from "../cli/command";
import { RefusedError, UsageError } from "../cli/errors";
import { words } from "../cli/options";
import { printable } from "../output/printable";
import { checkUid, kindNamed, KINDS, type AnyKind } from "../records/kinds";
import { connect } from "../session/session";
import { refusal, sayIfHidden, type Connected } from "../state/reality";
import { blocksText, comment } from "./hcl";
import { EXPORTED, written, type Exported, type Records, type Written } from "./provider";

/** The first line of every file that this writes: others are not replaced. */
const HEAD = "# Written by platform terraform export.";

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  tags: "they are pushed with their images",
  groupInvites: "they end by themselves, and have a secret code",
  accountAssociations: "this command does not write them, though the provider has a resource for them",
};

type AnyRecords = Record<Exported, { readonly uid: string }[]>;

/** Reads what is written of a group and what is below it. `missing` are kinds that the caller may not list. */
async function readRecords(connected: Connected, scope: string, signal: AbortSignal) {
  const { client } = connected;
  const own = await client.call(groups.get, { path: { uid: scope }, signal });
  const found = Object.fromEntries(EXPORTED.map((kind) => [kind, []])) as unknown as AnyRecords;
  found.groups.push(own);
  const missing: string[] = [];
  const others: string[] = [];
  for (const kind of KINDS) {
    const collection = EXPORTED.find((one) => one === kind.collection);
    try {
      // oxlint-disable-next-line no-await-in-loop -- list by list
      const why = await refusal(
        connected,
        { ...kind, access: FACTS[kind.collection as keyof typeof FACTS].access },
        scope,
        signal,
      );
      if (why !== undefined) {
        (collection === undefined ? others : missing).push(`${kind.plural}: ${why}`);
        continue;
      }
      const query = { "uidp.descendants_of": scope, order_by: "uid" };
      if (collection === undefined) {
        // oxlint-disable-next-line no-await-in-loop
        const count = await counted(connected, kind, scope, signal);
        const reason = NOT_WRITTEN[kind.collection] ?? "the provider has no resource for them";
        if (count > 0) others.push(`${kind.plural} (${count}): ${reason}`);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop
      for await (const row of client.items(kind.list, { query, signal })) found[collection].push(row);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      (collection === undefined ? others : missing).push(`${kind.plural}: ${error.message}`);
    }
  }
  return { records: found as unknown as Records, missing, others };
}

/** How many records of a kind there are, those of the group itself included. */
async function counted(
  { client }: Connected,
  { list, keyedByParent }: AnyKind,
  scope: string,
  signal: AbortSignal,
) {
  let count = 0;
  const queries = [{ "uidp.descendants_of": scope }, ...(keyedByParent ? [{ "uidp.ids": [scope] }] : [])];
  for (const query of queries) {
    // oxlint-disable-next-line no-await-in-loop
    const { items, totalCount } = await client.call(list, { query: { ...query, page_size: 1 }, signal });
    count += Number(totalCount ?? items.length);
  }
  return count;
}

async function readReadmes({ client }: Connected, { repos }: Records, signal: AbortSignal) {
  const found = new Map<string, string>();
  for (const { uid } of repos) {
    // oxlint-disable-next-line no-await-in-loop -- a caller has two at once
    const { content } = await client.call(getReadme, { path: { uid }, signal });
    if (content !== undefined) found.set(uid, content);
  }
  return found;
}

/** Roles that nobody made, which are at the root: names by uid. */
async function readBuiltIn({ client }: Connected, signal: AbortSignal) {
  const found = new Map<string, string>();
  for await (const { uid, name } of client.items(roles.list, { query: { "uidp.in_root": true }, signal }))
    found.set(uid, name);
  return found;
}

/** The text of each file by its name, without what is not written. */
const filesOf = ({ main, kinds }: Written): Map<string, string> =>
  new Map([
    ["main", blocksText(main)],
    ...EXPORTED.map((kind) => [separated(kind, "_"), blocksText(kinds[kind])] as const),
  ]);

/** Writes a file in place of one of the same kind, and of no other. */
function writeOwn(path: string, text: string): void {
  try {
    if (!lstatSync(path).isFile() || !readFileSync(path, "utf8").startsWith(HEAD))
      throw new UsageError(`${path} is there and was not written by this command: choose another name.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  writeFileSync(path, `${HEAD}\n\n${text}`.trimEnd() + "\n");
}

const isDirectory = (path: string): boolean =>
  path.endsWith("/") || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

/** Writes one text, or a file per kind; the notes are at the end of that, or of the first file. */
function writeOut(out: string | undefined, files: ReadonlyMap<string, string>, notes: string): void {
  const texts = (...parts: readonly string[]) => parts.filter((text) => text !== "").join("\n");
  const whole = texts(...files.values(), notes);
  if (out === undefined) return print(`${HEAD}\n\n${whole}`.trimEnd());
  try {
    if (!isDirectory(out)) return writeOwn(out, whole);
    mkdirSync(out, { recursive: true });
    for (const [name, text] of files)
      writeOwn(join(out, `${name}.tf`), name === "main" ? texts(text, notes) : text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${out} can't be written: ${(error as Error).message}`);
  }
}

export const terraform: Command = {
  words: "export",
  what: "writes an organization or folder for Terraform, to take it over as it is",
  more: `It writes a resource for each group, identity, role, role binding, identity provider, repo and event subscription, and an
import block with its uid, so that Terraform takes over what is there and makes nothing anew. Read the first "terraform plan". References are by address. Client secrets are in
no answer of the API: each is a variable. What the provider has nothing for is on standard error, and in comments at the end.`,
  choices: ["export"],
  options: () => ({
    scope: { type: "string", value: "UID", what: "the organization or folder" },
    out: {
      type: "string",
      value: "FILE",
      what: "the file, or a directory for one per kind; by default standard output",
    },
    partial: { type: "boolean", what: "writes also if you may not see all kinds" },
  }),
  async run(given, signal) {
    const [what] = words(given, ["export"]);
    if (what !== "export")
      throw new UsageError(`There is platform terraform export, not ${JSON.stringify(what)}.`);
    const scope = given.text("scope");
    if (scope === undefined)
      throw new UsageError("Of what? Use --scope with the uid of an organization or folder.");
    checkUid(scope, kindNamed("groups"));
    const connected = await connect(given.text("server"));
    sayIfHidden(connected.server);
    const { records, missing, others } = await readRecords(connected, scope, signal);
    if (missing.length > 0 && !given.has("partial"))
      throw new RefusedError(
        `The export would be incomplete (--partial writes it all the same).\n${missing.map(printable).join("\n")}`,
      );
    const blocks = written(records, {
      readmes: await readReadmes(connected, records, signal),
      builtIn: await readBuiltIn(connected, signal),
      address: connected.server.apiBaseUrl,
      now: Date.now(),
    });
    const section = (title: string, lines: readonly string[]) =>
      lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)];
    const notes = [
      ...section("Not written, since you may not list it:", missing),
      ...section("Not written:", others),
      ...section(
        "The provider has no argument for these fields. They stay, until it changes the record:",
        blocks.lacking,
      ),
    ];
    writeOut(given.text("out"), filesOf(blocks), notes.map((line) => `${comment(line)}\n`).join(""));
    notes.forEach((line) => tell(printable(line)));
  },
};
