import * as z from "zod";

import { entriesOf } from "./entries";
import type { Format } from "./formats";
import { readPurl, type Purl } from "./purl";
import { advisoriesOf, VEX_STATUSES, type About, type VexStatement } from "./vex-statements";

const time = z.iso.datetime({ offset: true });

const part = z.looseObject({
  "@id": z.string().optional(),
  identifiers: z.looseObject({ purl: z.string().optional() }).nullish(),
});
/** Version 0.0.1 writes products and vulnerabilities as plain text. */
const orText = <T extends z.ZodType>(schema: T, key: string) =>
  z.preprocess((value) => (typeof value === "string" ? { [key]: value } : value), schema);
const product = orText(part.extend({ subcomponents: z.array(orText(part, "@id")).nullish() }), "@id");
const vulnerability = orText(
  z
    .looseObject({
      "@id": z.string().optional(),
      name: z.string().optional(),
      aliases: z.array(z.string()).nullish(),
    })
    .refine((one) => idOf(one) !== "", "has no id"),
  "name",
);

/** https://github.com/openvex/spec, versions 0.0.1 to 0.2. */
const document = z.object({
  "@id": z.string().optional(),
  author: z.string().min(1),
  timestamp: time,
  last_updated: time.nullish(),
  statements: z.array(z.unknown()),
});
const statementEntry = z.object({
  vulnerability,
  products: z.array(product).nullish(),
  status: z.enum(VEX_STATUSES),
  justification: z.string().nullish(),
  impact_statement: z.string().nullish(),
  action_statement: z.string().nullish(),
  status_notes: z.string().nullish(),
  timestamp: time.nullish(),
});
type Statement = z.infer<typeof statementEntry>;
type Part = z.infer<typeof part>;

/** The name of a vulnerability, or what its address ends with. */
function idOf({
  name,
  "@id": id = "",
}: {
  readonly name?: string | undefined;
  readonly "@id"?: string | undefined;
}) {
  return name || id.replace(/^.*[/#:]/, "");
}

const textOf = ({ identifiers, "@id": id = "" }: Part): string => identifiers?.purl ?? id;

/** `registry.example/team/shop:1.2`, which some tools write in place of a package URL. */
const REFERENCE = /^([\w.-]+(?::\d+)?(?:\/[\w.-]+)+)(?::([\w][\w.-]*))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** The package or image that a product or component names; undefined if the text is neither. */
function readProduct(text: string): Purl | undefined {
  const purl = readPurl(text);
  if (purl) return purl;
  const [whole, name = "", tag = "", digest = tag] = REFERENCE.exec(text) ?? [];
  if (whole === undefined || !/[.:]|^localhost\//.test(name.split("/", 1)[0] ?? "")) return undefined;
  return {
    type: "image",
    name,
    distribution: "",
    namespace: "",
    version: digest,
    qualifiers: {},
    location: "",
  };
}

/** The pairs of artifact and component that a statement is about. */
function aboutOf({ products }: Statement, id: string, skipped: string[]): About[] {
  if (!products?.length) skipped.push(`${id}: a statement without a product`);
  return (products ?? []).flatMap((one) =>
    (one.subcomponents?.length ? one.subcomponents : [one]).flatMap((within): About[] => {
      const [artifact, component] = [readProduct(textOf(one)), readProduct(textOf(within))];
      if (artifact && component) return [{ artifact, component }];
      const wrong = textOf(artifact ? within : one) || "a product without a name";
      skipped.push(`${id}: ${wrong} is neither a package URL nor an image reference`);
      return [];
    }),
  );
}

export const openVex: Format = {
  name: "OpenVEX",
  needs: "group",
  fits: (value) => String(value["@context"]).startsWith("https://openvex.dev/ns"),
  read(value) {
    const one = document.parse(value);
    const version = /\/v([\d.]+)$/.exec(String(value["@context"]))?.[1] ?? "0.0.1";
    const skipped: string[] = [];
    const statements = entriesOf(statementEntry, one.statements, `OpenVEX ${version} statement`, skipped);
    const modifiedAt = new Date(one.last_updated ?? one.timestamp);
    const read = statements.map((statement, place): VexStatement => {
      const { status, justification, impact_statement, action_statement, status_notes } = statement;
      const id = idOf(statement.vulnerability);
      return {
        ids: [id, ...(statement.vulnerability.aliases ?? [])],
        status,
        justification: justification ?? undefined,
        note: impact_statement ?? action_statement ?? status_notes ?? undefined,
        at: new Date(statement.timestamp ?? one.timestamp),
        place,
        about: aboutOf(statement, id, skipped),
      };
    });
    const source = one["@id"] ? { id: one["@id"], modifiedAt } : undefined;
    return { advisories: advisoriesOf({ author: one.author, source, statements: read }, skipped), skipped };
  },
};
