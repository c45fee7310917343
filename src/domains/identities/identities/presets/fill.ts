import type { IdentityInput } from "platform-contract/iam/identities";
import type { FieldViolation } from "platform-contract/status";

import { escapePattern } from "../github";
import type { Preset, PresetField } from "./preset";
import { presetOf, PRESETS } from "./presets";

/** The values entered for each provider, including those not currently chosen. */
export interface PresetValues {
  provider: string;
  fields: Record<string, Record<string, string>>;
}

export const emptyPreset: PresetValues = {
  provider: "gitlab",
  fields: Object.fromEntries(
    PRESETS.map(({ value, fields }) => [
      value,
      Object.fromEntries(fields.map(({ name, initial = "" }) => [name, initial])),
    ]),
  ),
};

/** A filled-in template: exact text, or a pattern if it contains wildcards. */
interface Filled {
  readonly exact?: string;
  readonly pattern?: string;
}

type Entered = Readonly<Record<string, string>>;

function textOf(template: string, fields: readonly PresetField[], entered: Entered): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const field = fields.find((each) => each.name === name);
    if (!field) return whole;
    const text = (entered[name] ?? "").trim();
    if (!field.options) return text;
    // An option can itself be a template; typed text cannot.
    const others = fields.filter((each) => each !== field);
    return textOf(text, others, entered);
  });
}

export function fill(template: string, preset: Preset, entered: Entered): Filled {
  const text = textOf(template, preset.fields, entered);
  if (!text.includes("*")) return { exact: text };
  const anything = preset.barrier === "" ? ".*" : `[^${preset.barrier}]*`;
  return { pattern: text.split("*").map(escapePattern).join(anything) };
}

const member = (key: string, { exact, pattern }: Filled): Record<string, string> =>
  exact === undefined ? { [`${key}Pattern`]: pattern ?? "" } : { [key]: exact };

/** True if a template uses an empty field. */
const lacks = (template: string, entered: Entered): boolean =>
  [...template.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => (entered[name] ?? "").trim() === "");

/** Builds a preset's sign-in rule from the entered values. `audience`: used if the provider has none of its own. */
export function presetRule(
  { provider, fields }: PresetValues,
  audience = "",
): Pick<IdentityInput, "claimMatch" | "awsIdentity"> {
  const preset = presetOf(provider);
  if (!preset) return {};
  const entered = fields[provider] ?? {};
  const filled = (template: string) => fill(template, preset, entered);
  const { rule } = preset;
  if ("awsAccount" in rule)
    return {
      awsIdentity: {
        awsAccount: filled(rule.awsAccount).exact ?? "",
        ...member("arn", filled(rule.arn)),
        ...member("userId", filled(rule.userId)),
      },
    };
  const claims = Object.entries(rule.claims ?? {})
    .filter(([, template]) => !lacks(template, entered))
    .map(([name, template]) => [name, filled(template)] as const);
  const exact = claims.flatMap(([name, value]) => (value.exact === undefined ? [] : [[name, value.exact]]));
  const patterns = claims.flatMap(([name, value]) =>
    value.pattern === undefined ? [] : [[name, value.pattern]],
  );
  const meant = rule.audience === undefined ? { exact: audience.trim() } : filled(rule.audience);
  return {
    claimMatch: {
      ...member("issuer", filled(rule.issuer)),
      ...member("subject", filled(rule.subject)),
      ...(meant.exact === "" ? {} : member("audience", meant)),
      ...(exact.length > 0 && { claims: Object.fromEntries(exact) }),
      ...(patterns.length > 0 && { claimPatterns: Object.fromEntries(patterns) }),
    },
  };
}

/** True if all fields that the rule requires are filled in. */
export const isFilled = ({ provider, fields }: PresetValues): boolean =>
  (presetOf(provider)?.fields ?? []).every(
    ({ name, optional = false }) => optional || (fields[provider]?.[name] ?? "").trim() !== "",
  );

function problemOf(
  { label, optional = false, like, problem }: PresetField,
  text: string,
): string | undefined {
  if (text === "")
    return optional ? undefined : `Enter the ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  if (like && !like.test(text)) return problem ?? "Enter it as it appears in the URL";
  return /\s/.test(text) ? "Spaces aren't allowed" : undefined;
}

/** Problems with the fields of the chosen preset, by form field name. */
export const presetProblems = ({ provider, fields }: PresetValues): FieldViolation[] =>
  (presetOf(provider)?.fields ?? []).flatMap((field) => {
    const description = problemOf(field, (fields[provider]?.[field.name] ?? "").trim());
    return description === undefined
      ? []
      : [{ field: `preset.fields.${provider}.${field.name}`, description }];
  });
