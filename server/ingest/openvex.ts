import * as z from "zod";

import type { AdvisoryDraft, EventDraft } from "../store/advisory-writes";
import type { Format } from "./formats";
import { readPurl } from "./purl";
import { namesOf } from "./vulnerability-ids";

const time = z.iso.datetime({ offset: true });
const product = z.object({
  "@id": z.string(),
  subcomponents: z.array(z.object({ "@id": z.string() })).optional(),
});

/** https://github.com/openvex/spec, version 0.2. */
const document = z.object({
  author: z.string().min(1),
  timestamp: time,
  statements: z.array(
    z.object({
      vulnerability: z.object({ name: z.string().min(1), aliases: z.array(z.string()).optional() }),
      products: z.array(product).optional(),
      status: z.enum(["not_affected", "affected", "fixed", "under_investigation"]),
      justification: z.string().optional(),
      impact_statement: z.string().optional(),
      action_statement: z.string().optional(),
      status_notes: z.string().optional(),
      timestamp: time.optional(),
    }),
  ),
});
type Statement = z.infer<typeof document>["statements"][number];

/** The API's names for the justifications (contract 1.13). */
const JUSTIFIED: Readonly<Record<string, string>> = {
  component_not_present: "TYPE_COMPONENT_VULNERABILITY_MISMATCH",
  vulnerable_code_not_present: "TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE",
  vulnerable_code_not_in_execute_path: "TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH",
  vulnerable_code_cannot_be_controlled_by_adversary: "TYPE_VULNERABLE_CODE_CANNOT_BE_CONTROLLED_BY_ADVERSARY",
  inline_mitigations_already_exist: "TYPE_INLINE_MITIGATIONS_EXIST",
};

function saidBy(statement: Statement, version: string): Pick<EventDraft, "type" | "data"> {
  const { status, justification = "", impact_statement, action_statement, status_notes } = statement;
  const text = impact_statement ?? action_statement ?? status_notes;
  const note = text !== undefined && { note: text };
  if (status === "not_affected")
    return {
      type: "falsePositiveDetermination",
      data: { ...(JUSTIFIED[justification] && { type: JUSTIFIED[justification] }), ...note },
    };
  if (status === "fixed") return { type: "fixed", data: { fixedVersion: version, ...note } };
  if (status === "affected") return { type: "truePositiveDetermination", data: { ...note } };
  return { type: "detection", data: { manual: {} } };
}

export const openVex: Format = {
  name: "OpenVEX",
  needs: "group",
  fits: (value) => String(value["@context"]).startsWith("https://openvex.dev/ns"),
  read(value) {
    const { author, timestamp, statements } = document.parse(value);
    const skipped: string[] = [];
    const advisories = statements.flatMap((statement): AdvisoryDraft[] => {
      const { name, aliases = [] } = statement.vulnerability;
      const at = new Date(statement.timestamp ?? timestamp);
      if (!statement.products?.length) skipped.push(`${name}: a statement without a product`);
      return (statement.products ?? []).flatMap((one) =>
        (one.subcomponents?.length ? one.subcomponents : [undefined]).flatMap((part): AdvisoryDraft[] => {
          const artifact = readPurl(one["@id"]);
          const component = part ? readPurl(part["@id"]) : artifact;
          if (!artifact || !component) {
            skipped.push(`${name}: ${(artifact ? part : one)?.["@id"]} is not a package URL`);
            return [];
          }
          if (statement.status === "fixed" && component.version === "") {
            skipped.push(`${name}: ${one["@id"]} has no fixed version`);
            return [];
          }
          return [
            {
              ...namesOf([name, ...aliases]),
              author,
              artifactName: artifact.name,
              artifactType: artifact.type,
              artifactArchitecture: artifact.qualifiers["arch"] ?? "",
              componentName: component.name,
              componentType: component.type,
              origin: artifact.qualifiers["origin"],
              namespace: artifact.namespace,
              createdAt: at,
              events: [{ ...saidBy(statement, component.version), at, stamp: at.toISOString(), author }],
            },
          ];
        }),
      );
    });
    return { advisories, skipped };
  },
};
