import type { PlanStep, Planned } from "platform-client/plan/planned";
import { kindIn } from "platform-client/snapshots/format";
import { isObject } from "platform-contract/values";

import { printable } from "../output/printable";
import type { Checked } from "./check";

type Shown = Planned & { readonly checked?: Checked };

const MOST = 200;
const MARKS = { create: "+", update: "~", delete: "-" } as const;
const DONE = { create: "create", update: "change", delete: "delete" } as const;

/** A value on one line; what is not known yet is named. */
function valueText(value: unknown): string {
  if (value === undefined) return "unset";
  if (isObject(value) && typeof value["ref"] === "string")
    return printable(`<uid of ${value["ref"].replace(/^create /, "")}>`);
  const text = printable(JSON.stringify(value));
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

const headOf = ({ how, collection }: PlanStep): string => `${DONE[how]} ${kindIn(collection).noun}`;
/** A step on a line. */
export const stepLine = (step: PlanStep): string =>
  printable(`${MARKS[step.how]} ${headOf(step)} ${step.path}`);
const counted = (steps: readonly PlanStep[]): string =>
  (["create", "update", "delete"] as const)
    .map((how) => `${steps.filter((step) => step.how === how).length} to ${DONE[how]}`)
    .join(", ");

/** What a service said of a plan, as sentences: whose step, and why. */
const checkedOf = ({ checked, steps }: Shown): { step: PlanStep | undefined; why: string }[] =>
  (checked?.refused ?? []).map(({ id, code, message, violations }) => ({
    step: steps.find((step) => step.id === id),
    why: [
      `${code}: ${message}`,
      ...violations.map(({ field, description }) => `${field}: ${description}`),
    ].join("; "),
  }));
const uncheckedText = ({ checked }: Shown): string[] =>
  checked && checked.unchecked.length > 0
    ? [`Not checked, since others have to be done first: ${checked.unchecked.length}.`]
    : [];

const summary = ({ steps }: Planned): string =>
  steps.length === 0 ? "Nothing differs." : `${counted(steps)}.`;

/** A plan as lines for a terminal: what would be done, in this order. */
export function planLines(plan: Shown): string[] {
  return [
    ...plan.steps.flatMap((step) => [
      stepLine(step),
      ...step.fields.map(({ path, before, after }) => {
        const value =
          step.how === "create" ? valueText(after) : `${valueText(before)} -> ${valueText(after)}`;
        return `    ${printable(path)}: ${value}`;
      }),
    ]),
    ...plan.said.map(({ collection, path, why }) =>
      printable(`! ${kindIn(collection).plural}${path === "" ? "" : ` ${path}`}: ${why}`),
    ),
    ...checkedOf(plan).map(({ step, why }) =>
      printable(`x would be refused: ${step ? `${headOf(step)} ${step.path}: ` : ""}${why}`),
    ),
    ...uncheckedText(plan),
    summary(plan),
  ];
}

/** A text of somebody else for Markdown: as code, where nothing is a link, a mention, HTML or emphasis. */
export function codeOf(text: string): string {
  const shown = printable(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown === "" || /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A plan for a pull request. */
export function planMarkdown(plan: Shown): string {
  return [
    `**${summary(plan)}**`,
    ...(plan.steps.length > 0 ? [""] : []),
    ...plan.steps.flatMap((step) => [
      `- ${headOf(step)} ${codeOf(step.path)}`,
      ...step.fields.map(({ path, before, after }) => {
        const value =
          step.how === "create"
            ? codeOf(valueText(after))
            : `${codeOf(valueText(before))} → ${codeOf(valueText(after))}`;
        return `  - ${codeOf(path)}: ${value}`;
      }),
    ]),
    ...(plan.said.length > 0 ? ["", "Left alone:", ""] : []),
    ...plan.said.map(
      ({ collection, path, why }) => `- ${kindIn(collection).plural} ${codeOf(path)}: ${codeOf(why)}`,
    ),
    ...(checkedOf(plan).length > 0 ? ["", "Would be refused:", ""] : []),
    ...checkedOf(plan).map(
      ({ step, why }) => `- ${step ? `${headOf(step)} ${codeOf(step.path)}: ` : ""}${codeOf(why)}`,
    ),
    ...uncheckedText(plan).flatMap((line) => ["", line]),
  ].join("\n");
}
