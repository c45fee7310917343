import * as z from "zod";

import { CsafProducts, productTree } from "./csaf-products";
import { answersOf, subjectKeyOf, type SubjectAnswer, type Listed } from "./csaf-subjects";
import { entriesOf } from "./entries";
import type { Format } from "./formats";
import { advisoriesOf, type VexStatement } from "./vex-statements";

const time = z.iso.datetime({ offset: true });

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
  product_tree: productTree.nullish(),
  vulnerabilities: z.array(z.unknown()).nullish(),
});

const vulnerability = z
  .looseObject({
    cve: z.string().nullish(),
    ids: z.array(z.object({ text: z.string() })).nullish(),
    product_status: z.record(z.string(), z.unknown()).nullish(),
    flags: z.array(z.unknown()).nullish(),
    threats: z.array(z.unknown()).nullish(),
    remediations: z.array(z.unknown()).nullish(),
  })
  .refine(({ cve, ids }) => Boolean(cve) || (ids ?? []).length > 0, "has neither a CVE nor another id");

const aboutProducts = {
  product_ids: z.array(z.string()).nullish(),
  group_ids: z.array(z.string()).nullish(),
};
const productList = z.array(z.string());
const flagEntry = z.object({ label: z.string(), date: time.nullish(), ...aboutProducts });
const noteEntry = z.object({ category: z.string(), details: z.string(), ...aboutProducts });

/** https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html#3239-vulnerabilities-property---product-status */
const LISTS: Readonly<Record<string, Pick<Listed, "status" | "bound"> | undefined>> = {
  fixed: { status: "fixed" },
  first_fixed: { status: "fixed" },
  known_affected: { status: "affected" },
  first_affected: { status: "affected", bound: "first" },
  last_affected: { status: "affected", bound: "last" },
  known_not_affected: { status: "not_affected" },
  under_investigation: { status: "under_investigation" },
  recommended: undefined,
};

/** The products of a vulnerability's lists; one that cannot be read costs only itself. */
function listedIn(
  id: string,
  status: Readonly<Record<string, unknown>>,
  products: CsafProducts,
  skipped: string[],
): Listed[] {
  return Object.entries(status).flatMap(([kind, list]) => {
    const said = LISTS[kind];
    if (!said) {
      if (!(kind in LISTS)) skipped.push(`${id}: products of the unknown status ${kind}`);
      return [];
    }
    return entriesOf(productList, [list], `${id} ${kind}`, skipped)
      .flat()
      .flatMap((one) => {
        const product = products.productOf(one);
        if (!product) {
          skipped.push(`${id}: product ${one} has no package URL`);
          return [];
        }
        const { bound, status: own } = said;
        return [
          { id: one, status: own, product, bound: product.versions.kind === "one" ? bound : undefined },
        ];
      });
  });
}

export const csaf: Format = {
  name: "CSAF",
  needs: "group",
  fits: (value) => "csaf_version" in Object(value["document"]),
  read(value) {
    const one = document.parse(value);
    const { publisher, tracking, references } = one.document;
    const skipped: string[] = [];
    const products = new CsafProducts(one.product_tree, publisher.name, skipped);
    const released = new Date(tracking.current_release_date);
    const found = entriesOf(vulnerability, one.vulnerabilities, "CSAF vulnerability", skipped);
    let place = 0;
    const statements = found.flatMap((each) => {
      const ids = [...(each.cve ? [each.cve] : []), ...(each.ids ?? []).map(({ text }) => text)];
      const id = ids[0] ?? "";
      const flags = entriesOf(flagEntry, each.flags, `${id} flag`, skipped);
      const threats = entriesOf(noteEntry, each.threats, `${id} threat`, skipped);
      const remediations = entriesOf(noteEntry, each.remediations, `${id} remediation`, skipped);
      const impacts = threats.filter(({ category }) => category === "impact");

      const bySubject = new Map<string, Listed[]>();
      for (const listed of listedIn(id, each.product_status ?? {}, products, skipped)) {
        const key = subjectKeyOf(listed.product);
        bySubject.set(key, [...(bySubject.get(key) ?? []), listed]);
      }
      const statementsOf = ({ status, of, extent }: SubjectAnswer): VexStatement[] => {
        // Products with another reason or note are a statement of their own; versions in ranges have one answer.
        const byReason = new Map<string, VexStatement & { about: Listed["product"][] }>();
        for (const listed of of) {
          const about = <T extends object>(list: readonly T[]) =>
            list.find((entry) => products.idsIn(entry).has(listed.id));
          const isSpared = status === "not_affected";
          const flag = isSpared ? about(flags) : undefined;
          const note = (isSpared ? about(impacts) : about(remediations))?.details;
          const key = extent ? "" : JSON.stringify([flag?.label, note, flag?.date]);
          const known = byReason.get(key) ?? {
            ids,
            status,
            justification: flag?.label,
            note,
            at: flag?.date ? new Date(flag.date) : released,
            place: (place += 1),
            about: [],
            extent,
          };
          known.about.push(listed.product);
          byReason.set(key, known);
        }
        return [...byReason.values()];
      };
      return [...bySubject.values()].flatMap((listed) =>
        answersOf(id, listed, skipped).flatMap(statementsOf),
      );
    });
    const url =
      (references ?? []).find(({ category, url: at }) => category === "self" && at)?.url ?? undefined;
    const source = { id: tracking.id, url, modifiedAt: released };
    return { advisories: advisoriesOf({ author: publisher.name, source, statements }, skipped), skipped };
  },
};
