import * as z from "zod";

import { entriesOf } from "./entries";
import type { Format } from "./formats";
import { readPurl, type Purl } from "./purl";
import { advisoriesOf, type About, type VexStatement, type VexStatus } from "./vex-statements";

const time = z.iso.datetime({ offset: true });
const helper = z.looseObject({ purl: z.string().nullish() }).nullish();
const product = z.looseObject({
  name: z.string().nullish(),
  product_id: z.string(),
  product_identification_helper: helper,
});
type Product = z.infer<typeof product>;

interface Branch {
  readonly product?: unknown;
  readonly branches?: readonly unknown[] | null | undefined;
}
const branch = z.looseObject({ product: z.unknown().optional(), branches: z.array(z.unknown()).nullish() });
const relationship = z.looseObject({
  product_reference: z.string(),
  relates_to_product_reference: z.string(),
  full_product_name: product,
});

/** https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html, only what says which product is affected by what. */
const document = z.object({
  document: z.object({
    csaf_version: z.literal("2.0", "only version 2.0 is supported"),
    publisher: z.looseObject({ name: z.string().min(1) }),
    tracking: z.looseObject({
      id: z.string().min(1),
      current_release_date: time,
      initial_release_date: time.nullish(),
    }),
    references: z
      .array(z.looseObject({ category: z.string().nullish(), url: z.string().nullish() }))
      .nullish()
      .catch(undefined),
  }),
  product_tree: z
    .object({
      branches: z.array(z.unknown()).nullish(),
      full_product_names: z.array(z.unknown()).nullish(),
      relationships: z.array(z.unknown()).nullish(),
      product_groups: z.array(z.unknown()).nullish(),
    })
    .nullish(),
  vulnerabilities: z.array(z.unknown()).nullish(),
});
const group = z.object({ group_id: z.string(), product_ids: z.array(z.string()) });

const aboutProducts = {
  product_ids: z.array(z.string()).nullish(),
  group_ids: z.array(z.string()).nullish(),
};
const vulnerability = z
  .object({
    cve: z.string().nullish(),
    ids: z.array(z.object({ text: z.string() })).nullish(),
    product_status: z.record(z.string(), z.array(z.string())).nullish(),
    flags: z.array(z.object({ label: z.string(), date: time.nullish(), ...aboutProducts })).nullish(),
    threats: z.array(z.object({ category: z.string(), details: z.string(), ...aboutProducts })).nullish(),
    remediations: z
      .array(z.object({ category: z.string(), details: z.string(), ...aboutProducts }))
      .nullish(),
    release_date: time.nullish(),
  })
  .refine(({ cve, ids }) => Boolean(cve) || (ids ?? []).length > 0, "has neither a CVE nor another id");

const STATUSES: Readonly<Record<string, VexStatus>> = {
  fixed: "fixed",
  first_fixed: "fixed",
  known_affected: "affected",
  first_affected: "affected",
  last_affected: "affected",
  known_not_affected: "not_affected",
  under_investigation: "under_investigation",
};

/** The products of a tree, by id: what each is, and what it is a part of. */
class Products {
  readonly #purls = new Map<string, Purl | undefined>();
  readonly #parts = new Map<string, { readonly component: string; readonly within: string }>();
  readonly #groups = new Map<string, readonly string[]>();

  constructor(tree: z.infer<typeof document>["product_tree"], skipped: string[]) {
    const named = entriesOf(product, tree?.full_product_names, "CSAF product", skipped);
    for (const one of [...named, ...productsIn(tree?.branches, skipped)])
      this.#purls.set(one.product_id, readPurl(one.product_identification_helper?.purl ?? ""));
    for (const one of entriesOf(relationship, tree?.relationships, "CSAF relationship", skipped))
      this.#parts.set(one.full_product_name.product_id, {
        component: one.product_reference,
        within: one.relates_to_product_reference,
      });
    for (const one of entriesOf(group, tree?.product_groups, "CSAF product group", skipped))
      this.#groups.set(one.group_id, one.product_ids);
  }

  /** Undefined if it has no package URL, nor anything that it is a part of. */
  aboutOf(id: string): About | undefined {
    const part = this.#parts.get(id);
    const component = this.#purls.get(part?.component ?? id);
    const artifact = part ? this.#purls.get(part.within) : component;
    if (!component) return undefined;
    // Of a distribution, only the package has a package URL.
    return { component, artifact: artifact ?? component };
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

function productsIn(branches: readonly unknown[] | null | undefined, skipped: string[]): Product[] {
  return entriesOf(branch, branches, "CSAF branch", skipped).flatMap((one: Branch) => [
    ...(one.product === undefined ? [] : entriesOf(product, [one.product], "CSAF product", skipped)),
    ...productsIn(one.branches, skipped),
  ]);
}

export const csaf: Format = {
  name: "CSAF",
  needs: "group",
  fits: (value) => "csaf_version" in Object(value["document"]),
  read(value) {
    const one = document.parse(value);
    const { publisher, tracking, references } = one.document;
    const skipped: string[] = [];
    const products = new Products(one.product_tree, skipped);
    const released = new Date(tracking.current_release_date);
    const found = entriesOf(vulnerability, one.vulnerabilities, "CSAF vulnerability", skipped);
    let place = 0;
    const statements = found.flatMap((each) => {
      const ids = [...(each.cve ? [each.cve] : []), ...(each.ids ?? []).map(({ text }) => text)];
      return Object.entries(each.product_status ?? {}).flatMap(([kind, listed]) => {
        const status = STATUSES[kind];
        if (!status) return [];
        // Products with another reason or note are a statement of their own.
        const statementsByReason = new Map<string, VexStatement & { about: About[] }>();
        for (const id of listed) {
          const about = products.aboutOf(id);
          if (!about) {
            skipped.push(`${ids[0]}: product ${id} has no package URL`);
            continue;
          }
          const of = <T extends object>(list: readonly T[] | null | undefined) =>
            (list ?? []).find((entry) => products.idsIn(entry).has(id));
          const flag = status === "not_affected" ? of(each.flags) : undefined;
          const impact = of((each.threats ?? []).filter(({ category }) => category === "impact"));
          const note = status === "not_affected" ? impact?.details : of(each.remediations)?.details;
          const key = JSON.stringify([flag?.label, note, flag?.date]);
          const known = statementsByReason.get(key) ?? {
            ids,
            status,
            justification: flag?.label,
            note,
            at: flag?.date ? new Date(flag.date) : released,
            place: (place += 1),
            about: [],
          };
          known.about.push(about);
          statementsByReason.set(key, known);
        }
        return [...statementsByReason.values()];
      });
    });
    const url =
      (references ?? []).find(({ category, url: at }) => category === "self" && at)?.url ?? undefined;
    const source = { id: tracking.id, url, modifiedAt: released };
    return { advisories: advisoriesOf({ author: publisher.name, source, statements }, skipped), skipped };
  },
};
