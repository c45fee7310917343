import type { Filter } from "scim2-parse-filter";

import type { Budget } from "../access/patterns";
import { ScimError } from "./error";
import type { PatchStep } from "./patch-steps";
import { findAttribute, type Attribute, type ResourceType } from "./schemas";
import { ValueList } from "./value-list";
import { complexValues, isFields, resourceOf, valueOf, type ScimFields } from "./values";

/** Steps of one request: a term of a filter at one value, or one value that is moved. About half a second of a core. */
const STEPS = 1_000_000;

/** The value that a filter such as `type eq "work"` describes; undefined for any other filter. */
function described(filter: Filter, { subAttributes = [], name }: Attribute): ScimFields | undefined {
  const parts = filter.op === "and" ? filter.filters : [filter];
  const found: ScimFields = {};
  for (const one of parts) {
    const sub = one.op === "eq" ? findAttribute(subAttributes, one.attrPath) : undefined;
    if (one.op !== "eq" || !sub || sub.mutability !== "readWrite") return undefined;
    found[sub.name] = valueOf(sub, `${name}.${sub.name}`, one.compValue);
  }
  return found;
}

/** The attributes of a resource, or of an extension: lists under their names, everything else as it is. */
class Holder {
  private readonly lists = new Map<string, ValueList>();

  constructor(
    readonly fields: ScimFields,
    private readonly budget: Budget,
  ) {}

  list({ name }: Attribute): ValueList {
    const known = this.lists.get(name) ?? new ValueList(name, complexValues(this.fields[name]), this.budget);
    this.lists.set(name, known);
    return known;
  }

  /** The attributes without lists, which are in the schema's form already, and the lists. */
  parts(): [ScimFields, ScimFields] {
    const lists = [...this.lists].map(([name, list]) => [name, list.values()] as const);
    const rest = Object.entries(this.fields).filter(([name]) => !this.lists.has(name));
    return [Object.fromEntries(rest), Object.fromEntries(lists.filter(([, { length }]) => length > 0))];
  }
}

/** A value of a complex attribute in the schema's form; undefined if it is unassigned. */
function complexValue(attribute: Attribute, fields: ScimFields): ScimFields | undefined {
  const value = valueOf(attribute, attribute.name, fields);
  return isFields(value) ? value : undefined;
}

/** Changes the values of a list that a filter selects. */
function* applySelected(
  list: ValueList,
  type: ResourceType,
  { verb, target: { attribute, sub }, value }: PatchStep,
  filter: Filter,
): Generator<void> {
  const { name } = attribute;
  const selected = yield* list.selected(filter, type);
  if (verb === "remove" && !sub) return list.delete(selected);
  const change = (one: ScimFields): ScimFields | undefined => {
    const next = sub
      ? { ...one, [sub.name]: value }
      : { ...(verb === "add" ? one : described(filter, attribute)), ...Object(value) };
    return complexValue(attribute, next);
  };
  if (selected.length > 0 || verb === "remove") return list.change(selected, change);
  const made = described(filter, attribute);
  if (!made) throw new ScimError(400, `no value of ${name} matches the path`, "noTarget");
  const item = change(made);
  if (item) list.add([item]);
}

function* apply(holder: Holder, type: ResourceType, step: PatchStep): Generator<void> {
  const { verb, target, value } = step;
  const { attribute, filter, sub } = target;
  const { name } = attribute;
  if (!attribute.multiValued) {
    const { fields } = holder;
    if (sub) fields[name] = { ...Object(fields[name]), [sub.name]: value };
    else {
      const merges = verb !== "remove" && attribute.type === "complex" && value !== undefined;
      const merged = merges ? { ...Object(fields[name]), ...Object(value) } : value;
      fields[name] = verb === "remove" ? undefined : merged;
    }
    return;
  }
  const list = holder.list(attribute);
  if (filter) return yield* applySelected(list, type, step, filter);
  const given = complexValues(value);
  if (sub) list.change(list.values(), (one) => complexValue(attribute, { ...one, [sub.name]: value }));
  else if (verb === "add") list.add(given);
  else if (verb === "replace") list.replace(given);
  // Entra names the values to remove in the value instead of the path.
  else if (value === undefined) list.replace([]);
  else list.delete(given);
}

/**
 * A resource after the steps of a PATCH request, in the schema's form; all of them or none. Throws a ScimError, also if
 * steps times values times terms of filters are too much.
 */
export function* patching(
  type: ResourceType,
  before: ScimFields,
  steps: readonly PatchStep[],
): Generator<void, ScimFields> {
  const budget = { left: STEPS };
  const resource = new Holder({ ...before }, budget);
  const extensions = new Map<string, Holder>();
  for (const step of steps) {
    const { extension: id } = step.target;
    const extension = id === undefined ? undefined : extensions.get(id);
    const holder = id === undefined ? resource : (extension ?? new Holder({ ...Object(before[id]) }, budget));
    if (id !== undefined) extensions.set(id, holder);
    yield* apply(holder, type, step);
    yield;
  }
  const [rest, lists] = resource.parts();
  for (const [id, { fields }] of extensions) rest[id] = fields;
  return { ...resourceOf(type, rest), ...lists };
}
