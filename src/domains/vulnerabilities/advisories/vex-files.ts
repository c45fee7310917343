import type { Advisory } from "platform-contract/vulnerabilities/advisories";

import { inOrder } from "./ids";
import { productsOf, type Product } from "./package-urls";
import { verdictOf, type Status, type Verdict } from "./verdict";

/** Who says what a file says, and when. */
export interface VexSource {
  /** The name of the group, or of what the file is about. */
  readonly author: string;
  readonly id: string;
  /** Where the author publishes: an address. */
  readonly namespace: string;
  readonly now: Date;
}

interface Stated {
  readonly ids: readonly string[];
  readonly verdict: Verdict;
  readonly at: string | undefined;
  readonly products: readonly Product[];
}

function statedBy(advisory: Advisory): Stated {
  const { aliases, advisoryId = "" } = advisory;
  const verdict = verdictOf(advisory);
  const known = inOrder(aliases);
  const versions = verdict.status === "fixed" ? verdict.fixedIn : [];
  return {
    ids: known.length > 0 ? known : [advisoryId],
    verdict,
    at: verdict.event?.createTime ?? advisory.createTime,
    products: productsOf(advisory, versions),
  };
}

/** What to do about an affected product, which both formats require. */
const actionOf = ({ note, says, affected }: Verdict): string =>
  note ?? (affected.length > 0 ? `Affected: ${affected.join("; ")}.` : `${says}. No fixed version is known.`);

/** https://github.com/openvex/spec, version 0.2. */
export function openVexFile(advisories: readonly Advisory[], { author, id, now }: VexSource): string {
  const time = now.toISOString();
  const statements = advisories.map((advisory) => {
    const { ids, verdict, at, products } = statedBy(advisory);
    const [name, ...aliases] = ids;
    const { status, reason, note } = verdict;
    const notAffected = {
      justification: reason?.vex,
      ...(note || !reason ? { impact_statement: note ?? verdict.says } : {}),
    };
    return {
      vulnerability: { name, ...(aliases.length > 0 && { aliases }) },
      ...(at && { timestamp: at }),
      products: products.map(({ artifact, component }) => ({
        "@id": artifact,
        ...(component && { subcomponents: [{ "@id": component }] }),
      })),
      status,
      ...(status === "not_affected" && notAffected),
      ...(status === "affected" && { action_statement: actionOf(verdict) }),
      ...((status === "fixed" || status === "under_investigation") && note && { status_notes: note }),
    };
  });
  const document = {
    "@context": "https://openvex.dev/ns/v0.2.0",
    "@id": `urn:uuid:${id}`,
    author,
    timestamp: time,
    version: 1,
    statements,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const PRODUCT_STATUS: Readonly<Record<Status, string>> = {
  affected: "known_affected",
  under_investigation: "under_investigation",
  fixed: "fixed",
  not_affected: "known_not_affected",
};

/** The products of a file, each with an id. */
class ProductTree {
  readonly #ids = new Map<string, string>();
  readonly #parts = new Map<string, string>();
  readonly names: object[] = [];
  readonly relationships: object[] = [];

  #idOf(purl: string): string {
    const known = this.#ids.get(purl) ?? `P${this.#ids.size + 1}`;
    if (!this.#ids.has(purl)) {
      this.#ids.set(purl, known);
      this.names.push({ name: purl, product_id: known, product_identification_helper: { purl } });
    }
    return known;
  }

  idOf({ artifact, component }: Product): string {
    const whole = this.#idOf(artifact);
    if (component === undefined) return whole;
    const part = this.#idOf(component);
    const key = `${part} ${whole}`;
    const known = this.#parts.get(key) ?? `R${this.#parts.size + 1}`;
    if (!this.#parts.has(key)) {
      this.#parts.set(key, known);
      this.relationships.push({
        category: "default_component_of",
        product_reference: part,
        relates_to_product_reference: whole,
        full_product_name: { name: `${component} in ${artifact}`, product_id: known },
      });
    }
    return known;
  }
}

/** CSAF 2.0, profile VEX: https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html#45-profile-5-vex */
export function csafFile(advisories: readonly Advisory[], { author, id, namespace, now }: VexSource): string {
  const tree = new ProductTree();
  const time = now.toISOString();
  const byName = new Map<string, Stated[]>();
  for (const advisory of advisories) {
    const stated = statedBy(advisory);
    const [key = ""] = stated.ids;
    // A CVE has one entry, whatever else its advisories call it.
    byName.set(key, [...(byName.get(key) ?? []), stated]);
  }
  const vulnerabilities = [...byName.values()].map((all) => {
    const ids = [...new Set(all.flatMap((stated) => stated.ids))];
    const [cve, others] = ids[0]?.startsWith("CVE-") ? [ids[0], ids.slice(1)] : [undefined, ids];
    const status: Record<string, string[]> = {};
    const flags: object[] = [];
    const threats: object[] = [];
    const remediations: object[] = [];
    for (const { verdict, products, at } of all) {
      const productIds = products.map((product) => tree.idOf(product));
      const { status: own, reason, note } = verdict;
      const kind = PRODUCT_STATUS[own];
      status[kind] = [...new Set([...(status[kind] ?? []), ...productIds])];
      const about = { product_ids: productIds };
      if (own === "not_affected") {
        if (reason) flags.push({ label: reason.vex, ...(at && { date: at }), ...about });
        if (note || !reason) threats.push({ category: "impact", details: note ?? verdict.says, ...about });
      } else if (own === "affected")
        remediations.push({ category: "none_available", details: actionOf(verdict), ...about });
      else if (own === "fixed" && note)
        remediations.push({ category: "vendor_fix", details: note, ...about });
    }
    return {
      ...(cve && { cve }),
      ...(others.length > 0 && { ids: others.map((text) => ({ system_name: text.split("-", 1)[0], text })) }),
      notes: [{ category: "description", text: `The status of ${ids[0]} in the products of ${author}.` }],
      product_status: status,
      ...(flags.length > 0 && { flags }),
      ...(threats.length > 0 && { threats }),
      ...(remediations.length > 0 && { remediations }),
    };
  });
  const document = {
    document: {
      category: "csaf_vex",
      csaf_version: "2.0",
      lang: "en",
      title: `Vulnerability status in ${author}`,
      publisher: { category: "vendor", name: author, namespace },
      tracking: {
        id: `VEX-${id}`,
        status: "final",
        version: "1",
        initial_release_date: time,
        current_release_date: time,
        revision_history: [{ number: "1", date: time, summary: "Exported" }],
      },
    },
    product_tree: {
      full_product_names: tree.names,
      ...(tree.relationships.length > 0 && { relationships: tree.relationships }),
    },
    vulnerabilities,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
