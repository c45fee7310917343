import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse, stringify } from "yaml";

import { parentOf } from "platform-contract/aip";

interface Row extends Record<string, unknown> {
  uid?: string;
  name?: string;
}
type Folder = { group: Row } & Partial<Record<"repos" | "identities" | "roles" | "roleBindings", Row[]>>;
const LISTS = ["repos", "identities", "roles", "roleBindings"] as const;
const CLAIMS = { issuer: "https://ci.scale.example", subject: "made" };

/** The files of a state in a directory, which random edits change. */
export class EditedFiles {
  readonly folders = new Map<string, Folder>();
  /** What the plan has to say. */
  readonly expected: string[] = [];
  readonly #touched = new Set<string>();

  constructor(
    private readonly root: string,
    /** A random whole number from 0 to below this one. */
    private readonly below: (most: number) => number,
  ) {
    for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }))
      if (basename(path) === "_folder.yaml")
        this.folders.set(dirname(path), parse(readFileSync(join(root, path), "utf8")) as Folder);
  }

  /** One edit: creates, renames, changes, deletes, or moves a role binding. */
  edit(name: string): void {
    const before = this.expected.length;
    while (this.expected.length === before) {
      const act = this.below(6);
      if (act <= 1) this.#create(name);
      else if (act === 2) this.#change(name, "name");
      else if (act === 3) this.#change(name, "description");
      else if (act === 4) this.#remove();
      else this.#move();
    }
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[this.below(all.length)];
  }

  #touch(row: Row): boolean {
    const key = row.uid ?? "";
    if (key === "" || this.#touched.has(key)) return false;
    this.#touched.add(key);
    return true;
  }

  #some(): [string, Folder] {
    return this.#oneOf([...this.folders]) as [string, Folder];
  }

  #create(name: string): void {
    const [path, folder] = this.#some();
    const what = this.#oneOf(["repos", "identities", "roles", "groups", "roleBindings"] as const);
    if (what === "groups") {
      this.folders.set(`${path}/${name}`, { group: { name, description: "made" } });
    } else if (what === "roleBindings") {
      const identity: Row = { name, description: "made", claimMatch: { ...CLAIMS, subject: name } };
      (folder.identities ??= []).push(identity);
      (folder.roleBindings ??= []).push({ identity: { name }, role: { name: "viewer" } });
      this.expected.push("create roleBindings", `create identities ${name}`);
      return;
    } else {
      const more = {
        repos: {},
        identities: { claimMatch: { ...CLAIMS, subject: name } },
        roles: { capabilities: ["CAP_REPO_LIST"] },
      };
      (folder[what ?? "repos"] ??= []).push({ name, description: "made", ...more[what ?? "repos"] });
    }
    this.expected.push(`create ${what} ${name}`);
  }

  #change(name: string, field: "name" | "description"): void {
    const [path, folder] = this.#some();
    const what = this.#oneOf(["repos", "identities", "roles", "groups"] as const) ?? "groups";
    const row = what === "groups" ? folder.group : this.#oneOf(folder[what] ?? []);
    // The organization keeps its name: it is that of its directory.
    if (!row || (field === "name" && !path.includes("/")) || !this.#touch(row)) return;
    row[field] = name;
    this.expected.push(`update ${what} ${row.uid}`);
  }

  #remove(): void {
    const [path, folder] = this.#some();
    const what = this.#oneOf(["repos", "identities", "roles", "groups"] as const);
    const inside = [...this.folders].filter(([other]) => other.startsWith(`${path}/`));
    if (what === "groups") {
      const rows = [folder.group, ...LISTS.flatMap((list) => folder[list] ?? [])];
      const isFree = rows.every(({ uid }) => uid !== undefined && !this.#touched.has(uid));
      const elsewhere = (folder.identities ?? []).some(({ uid }) => this.#bindingsOf(uid, path).length > 0);
      if (!path.includes("/") || inside.length > 0 || !isFree || elsewhere) return;
      for (const list of LISTS)
        for (const row of folder[list] ?? []) this.expected.push(`delete ${list} ${row.uid}`);
      this.expected.push(`delete groups ${folder.group.uid}`);
      rows.forEach((row) => this.#touch(row));
      this.folders.delete(path);
      return;
    }
    const list = folder[what ?? "repos"] ?? [];
    const row = this.#oneOf(list);
    const bindings = what === "identities" ? this.#bindingsOf(row?.uid, undefined) : [];
    const isFree = bindings.every(([, { uid }]) => uid !== undefined && !this.#touched.has(uid));
    if (!row || parentOf(row.uid ?? "") === "" || !isFree || !this.#touch(row)) return;
    if (what === "identities")
      for (const [at, binding] of bindings) {
        this.#touch(binding);
        at.roleBindings?.splice(at.roleBindings.indexOf(binding), 1);
        this.expected.push(`delete roleBindings ${binding.uid}`);
      }
    list.splice(list.indexOf(row), 1);
    this.expected.push(`delete ${what} ${row.uid}`);
  }

  /** A binding with another uid in a folder below is a new one. */
  #move(): void {
    const [path, folder] = this.#some();
    const to = this.#oneOf([...this.folders].filter(([other]) => other.startsWith(`${path}/`)))?.[1];
    const binding = this.#oneOf(folder.roleBindings ?? []);
    if (!to || !binding || String(binding["identityUid"]).length === 40) return;
    const identity = this.#identity(String(binding["identityUid"]));
    if (!identity || this.#touched.has(identity.uid ?? "") || !this.#touch(binding)) return;
    // It must not be deleted in this round.
    this.#touch(identity);
    folder.roleBindings?.splice(folder.roleBindings.indexOf(binding), 1);
    const { identityUid, roleUid } = binding;
    (to.roleBindings ??= []).push({ identityUid, roleUid });
    this.expected.push("create roleBindings", `delete roleBindings ${binding.uid}`);
  }

  #identity(uid: string): Row | undefined {
    return [...this.folders.values()]
      .flatMap(({ identities = [] }) => identities)
      .find((one) => one.uid === uid);
  }

  #bindingsOf(uid: string | undefined, but: string | undefined): [Folder, Row][] {
    return [...this.folders]
      .filter(([path]) => path !== but)
      .flatMap(([, folder]) =>
        (folder.roleBindings ?? [])
          .filter((row) => row["identityUid"] === uid)
          .map((row): [Folder, Row] => [folder, row]),
      );
  }

  write(): void {
    for (const path of readdirSync(this.root, { recursive: true, encoding: "utf8" }))
      if (basename(path) === "_folder.yaml") rmSync(join(this.root, path));
    for (const [path, folder] of this.folders) {
      mkdirSync(join(this.root, path), { recursive: true });
      const lists = Object.entries(folder).filter(([, rows]) => !Array.isArray(rows) || rows.length > 0);
      writeFileSync(
        join(this.root, path, "_folder.yaml"),
        stringify(Object.fromEntries(lists), { aliasDuplicateObjects: false }),
      );
    }
  }
}
