import * as z from "zod";

import { entriesOf } from "./entries";
import { ofCpe, ofProduct } from "./package-names";
import { readPurl, type Purl } from "./purl";
import { readVersionRange, type VersionSet } from "./version-sets";

const product = z.looseObject({
  name: z.string().nullish(),
  product_id: z.string(),
  product_identification_helper: z
    .looseObject({ purl: z.string().nullish(), cpe: z.string().nullish() })
    .nullish(),
});
const branch = z.looseObject({
  category: z.string().nullish(),
  name: z.string().nullish(),
  product: z.unknown().optional(),
  branches: z.array(z.unknown()).nullish(),
});
const relationship = z.looseObject({
  product_reference: z.string(),
  relates_to_product_reference: z.string(),
  full_product_name: product,
});
const group = z.object({ group_id: z.string(), product_ids: z.array(z.string()) });

/** https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html#322-product-tree-property */
export const productTree = z.object({
  branches: z.array(z.unknown()).nullish(),
  full_product_names: z.array(z.unknown()).nullish(),
  relationships: z.array(z.unknown()).nullish(),
  product_groups: z.array(z.unknown()).nullish(),
});

/** What a branch says of a product that stands in it. */
interface Within {
  readonly category?: string | undefined;
  readonly name?: string | undefined;
  readonly vendor?: string | undefined;
}

interface Known {
  readonly purl: Purl | undefined;
  readonly versions: VersionSet;
  /** Where its components are installed, as an advisory's `appliesTo` has it. */
  readonly place: string;
}

/** What a product id of a document stands for. */
export interface CsafProduct {
  readonly artifact: Purl;
  readonly component: Purl;
  readonly versions: VersionSet;
  /** The ids of the products that it is a part of. */
  readonly within: string;
}

/** A purl without a version names one version in a branch that is called after it: `4.3.1`, `eta-1.2-3.el8`. */
function versionIn({ category, name = "" }: Within, purl: Purl): string {
  if (purl.version !== "" || category !== "product_version") return purl.version;
  const own = name.startsWith(`${purl.name}-`) ? name.slice(purl.name.length + 1) : name;
  return /^v?\d\S*$/.test(own) ? own : "";
}

function knownOf(one: z.infer<typeof product>, within: Within, publisher: string): Known {
  const { purl: text, cpe } = one.product_identification_helper ?? {};
  const read = readPurl(text ?? "");
  const place = ofCpe(cpe ?? "") ?? ofProduct(within.vendor ?? publisher, one.name ?? within.name ?? "");
  if (!read) return { purl: undefined, versions: { kind: "all" }, place };
  if (within.category === "product_version_range")
    return { purl: { ...read, version: "" }, versions: readVersionRange(within.name ?? ""), place };
  const version = versionIn(within, read);
  return {
    purl: { ...read, version },
    versions: version === "" ? { kind: "all" } : { kind: "one", version },
    place,
  };
}

/** Parts of parts are followed this far; no document has more, and a loop would have no end. */
const DEEPEST = 8;

/** The products of a tree, by id: what each is, and what it is a part of. */
export class CsafProducts {
  readonly #known = new Map<string, Known>();
  readonly #parts = new Map<string, { readonly component: string; readonly within: string }>();
  readonly #groups = new Map<string, readonly string[]>();

  constructor(tree: z.infer<typeof productTree> | null | undefined, publisher: string, skipped: string[]) {
    const add = (list: readonly unknown[] | null | undefined, within: Within) => {
      for (const one of entriesOf(product, list, "CSAF product", skipped))
        this.#known.set(one.product_id, knownOf(one, within, publisher));
    };
    const walk = (list: readonly unknown[] | null | undefined, vendor?: string) => {
      for (const one of entriesOf(branch, list, "CSAF branch", skipped)) {
        const name = one.name ?? undefined;
        const own = one.category === "vendor" ? name : vendor;
        if (one.product !== undefined)
          add([one.product], { category: one.category ?? undefined, name, vendor: own });
        walk(one.branches, own);
      }
    };
    add(tree?.full_product_names, {});
    walk(tree?.branches);
    for (const one of entriesOf(relationship, tree?.relationships, "CSAF relationship", skipped))
      this.#parts.set(one.full_product_name.product_id, {
        component: one.product_reference,
        within: one.relates_to_product_reference,
      });
    for (const one of entriesOf(group, tree?.product_groups, "CSAF product group", skipped))
      this.#groups.set(one.group_id, one.product_ids);
  }

  /** The product at the core of an id, and what it is installed in, from the innermost to the outermost. */
  #resolve(id: string, depth = 0): { core: string; containers: string[] } {
    const part = this.#parts.get(id);
    if (!part || depth > DEEPEST) return { core: id, containers: [] };
    const inner = this.#resolve(part.component, depth + 1);
    const outer = this.#resolve(part.within, depth + 1);
    return { core: inner.core, containers: [...inner.containers, outer.core, ...outer.containers] };
  }

  /** Undefined if it has no package URL. */
  productOf(id: string): CsafProduct | undefined {
    const { core, containers } = this.#resolve(id);
    const known = this.#known.get(core);
    if (!known?.purl) return undefined;
    const around = containers.map((container) => this.#known.get(container));
    const component = known.purl;
    const about = { versions: known.versions, within: containers.join(" ") };
    const artifact = around.find((one) => one?.purl && one.purl.type !== "rpmmod")?.purl;
    if (artifact) return { artifact, component, ...about };
    const streams = around.flatMap((one) => (one && !one.purl ? one.place : []));
    const modules = around.flatMap((one) =>
      one?.purl ? `${one.purl.name.replace(/^.*\//, "")}:${one.purl.version}` : [],
    );
    // A release that the package URL names itself is said more exactly.
    const release = component.distribution.includes(":") ? component.distribution : (streams.at(-1) ?? "");
    const distribution = [release || component.distribution, ...modules.map((name) => `(${name})`)]
      .join(" ")
      .trim();
    const placed = { ...component, distribution };
    return { artifact: placed, component: placed, ...about };
  }

  idsIn({
    product_ids,
    group_ids,
  }: {
    product_ids?: string[] | null;
    group_ids?: string[] | null;
  }): Set<string> {
    return new Set([
      ...(product_ids ?? []),
      ...(group_ids ?? []).flatMap((id) => this.#groups.get(id) ?? []),
    ]);
  }
}
