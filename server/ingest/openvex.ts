import * as z from "zod";

import type { AdvisoryDraft, EventDraft } from "../store/advisory-writes";
import { entriesOf } from "./entries";
import type { Format } from "./formats";
import { readPurl, type Purl } from "./purl";
import { namesOf } from "./vulnerability-ids";

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
  status: z.enum(["not_affected", "affected", "fixed", "under_investigation"]),
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

/** The API's names for the justifications. */
const JUSTIFIED: Readonly<Record<string, string>> = {
  component_not_present: "TYPE_COMPONENT_VULNERABILITY_MISMATCH",
  vulnerable_code_not_present: "TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE",
  vulnerable_code_not_in_execute_path: "TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH",
  vulnerable_code_cannot_be_controlled_by_adversary: "TYPE_VULNERABLE_CODE_CANNOT_BE_CONTROLLED_BY_ADVERSARY",
  inline_mitigations_already_exist: "TYPE_INLINE_MITIGATIONS_EXIST",
};

/** @param version the version that fixes it; "" if the statement is about one image, which is fixed as it is */
function saidBy(statement: Statement, version: string): Pick<EventDraft, "type" | "data"> {
  const { status, justification, impact_statement, action_statement, status_notes } = statement;
  const text = impact_statement ?? action_statement ?? status_notes;
  const note = text && { note: text };
  const type = JUSTIFIED[justification ?? ""];
  if (status === "not_affected")
    return { type: "falsePositiveDetermination", data: { ...(type && { type }), ...note } };
  if (status === "fixed")
    return { type: "fixed", data: { ...(version !== "" && { fixedVersion: version }), ...note } };
  if (status === "affected") return { type: "truePositiveDetermination", data: { ...note } };
  return { type: "detection", data: { manual: {} } };
}

const textOf = ({ identifiers, "@id": id = "" }: Part): string => identifiers?.purl ?? id;

/** `registry.example/team/shop:1.2`, which some tools write in place of a package URL. */
const REFERENCE = /^([\w.-]+(?::\d+)?(?:\/[\w.-]+)+)(?::([\w][\w.-]*))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** The package or image that a product or component names; undefined if the text is neither. */
function read(text: string): Purl | undefined {
  const purl = readPurl(text);
  if (purl) return purl;
  const [whole, name = "", tag = "", digest = tag] = REFERENCE.exec(text) ?? [];
  if (whole === undefined || !/[.:]|^localhost\//.test(name.split("/", 1)[0] ?? "")) return undefined;
  return { type: "image", name, distribution: "", namespace: "", version: digest, qualifiers: {} };
}

interface About {
  readonly artifact: Purl;
  readonly component: Purl;
}

/** The pairs of artifact and component that a statement is about. */
function aboutOf({ products }: Statement, id: string, skipped: string[]): About[] {
  if (!products?.length) skipped.push(`${id}: a statement without a product`);
  return (products ?? []).flatMap((one) =>
    (one.subcomponents?.length ? one.subcomponents : [one]).flatMap((within): About[] => {
      const [artifact, component] = [read(textOf(one)), read(textOf(within))];
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
    const stated = new Date(one.last_updated ?? one.timestamp);
    const advisories = statements.flatMap((statement, place) => {
      const id = idOf(statement.vulnerability);
      const at = new Date(statement.timestamp ?? one.timestamp);
      const names = namesOf([id, ...(statement.vulnerability.aliases ?? [])]);
      return aboutOf(statement, id, skipped).flatMap(({ artifact, component }): AdvisoryDraft[] => {
        const isImage = artifact.type === "image";
        const isFix = statement.status === "fixed";
        // A fix names the version from which on it holds; an image is what it is.
        const fix = component.type === "image" ? "" : component.version;
        if (isFix && fix === "" && !isImage) {
          skipped.push(`${id}: ${artifact.name} has no fixed version`);
          return [];
        }
        const particular = isImage || !isFix ? artifact.version : "";
        return [
          {
            ...names,
            author: one.author,
            artifactName: artifact.name,
            artifactType: artifact.type,
            artifactArchitecture: artifact.qualifiers["arch"] ?? "",
            componentName: component.name,
            componentType: component.type,
            origin: artifact.qualifiers["origin"],
            namespace: artifact.namespace,
            appliesTo: [artifact.distribution, particular].filter((text) => text !== "").join(" "),
            createdAt: at,
            ...(one["@id"] && { source: { id: one["@id"], modifiedAt: stated } }),
            events: [{ ...saidBy(statement, fix), at, place, stamp: at.toISOString(), author: one.author }],
          },
        ];
      });
    });
    return { advisories, skipped };
  },
};
