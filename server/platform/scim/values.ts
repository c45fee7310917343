import { invalidValue } from "./error";
import { findAttribute, isNamed, type Attribute, type ResourceType } from "./schemas";

export type ScimFields = Record<string, unknown>;

const TEXT_BYTES = 8_000;
/** Of what an index finds, and every member of a group repeats. */
const NAME_BYTES = 1_000;
/** Values of an attribute of a user; groups can have many members. */
export const VALUES = 100;

export const isFields = (value: unknown): value is ScimFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values of a complex attribute that is a list; none of anything else. */
export const complexValues = (value: unknown): ScimFields[] =>
  Array.isArray(value) ? value.filter(isFields) : [];

function textOf(path: string, value: unknown, bytes = TEXT_BYTES): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") throw invalidValue(`${path} must be text`);
  if (/[\0\p{Cs}]/u.test(text)) throw invalidValue(`${path} must not contain NUL or unpaired surrogates`);
  if (Buffer.byteLength(text) > bytes) throw invalidValue(`${path} must be at most ${bytes} bytes long`);
  return text;
}

/** Entra sends "True" and "False". */
function booleanOf(path: string, value: unknown): boolean {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  if (word === true || word === "true") return true;
  if (word === false || word === "false") return false;
  throw invalidValue(`${path} must be true or false`);
}

/** One value in the schema's form; undefined if it is unassigned (null, or an object without known attributes). */
export function valueOf(attribute: Attribute, path: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  const { type, subAttributes = [] } = attribute;
  if (type === "boolean") return booleanOf(path, value);
  const isName = attribute.uniqueness === "server" || attribute.name === "externalId";
  if (type !== "complex") return textOf(path, value, isName ? NAME_BYTES : TEXT_BYTES);
  // Some directories send the value alone, such as the id of a manager.
  if (!isFields(value)) return valueOf(attribute, path, { value: textOf(path, value) });
  const found = objectOf(subAttributes, value, path);
  return Object.keys(found).length > 0 ? found : undefined;
}

/** A whole attribute in the schema's form; undefined if it is unassigned. */
export function attributeOf(attribute: Attribute, value: unknown, path = attribute.name): unknown {
  if (!attribute.multiValued) {
    if (Array.isArray(value)) throw invalidValue(`${path} must be one value`);
    return valueOf(attribute, path, value);
  }
  const items = value === null || value === undefined ? [] : [value].flat();
  if (items.length > VALUES && attribute.name !== "members")
    throw invalidValue(`${path} must have at most ${VALUES} values`);
  const found = items.flatMap((item, index) => valueOf(attribute, `${path}[${index}]`, item) ?? []);
  return found.length > 0 ? found : undefined;
}

/** The known attributes of an object that a client can set; ignores all others (RFC 7644, section 3.3). */
function objectOf(attributes: readonly Attribute[], value: ScimFields, path = ""): ScimFields {
  const found: ScimFields = {};
  for (const [key, given] of Object.entries(value)) {
    const attribute = findAttribute(attributes, key);
    if (!attribute || attribute.mutability !== "readWrite") continue;
    const at = path === "" ? attribute.name : `${path}.${attribute.name}`;
    const item = attributeOf(attribute, given, at);
    if (item !== undefined) found[attribute.name] = item;
  }
  return found;
}

/** A resource in the schema's form: known attributes under their canonical names. Throws a ScimError. */
export function resourceOf({ attributes, extensions }: ResourceType, body: ScimFields): ScimFields {
  const found = objectOf(attributes, body);
  for (const { id, attributes: more } of extensions) {
    const [, value] = Object.entries(body).find(([key]) => isNamed(id, key)) ?? [];
    if (value === undefined || value === null) continue;
    if (!isFields(value)) throw invalidValue(`${id} must be an object`);
    const extension = objectOf(more, value, id);
    if (Object.keys(extension).length > 0) found[id] = extension;
  }
  return found;
}

/** Throws a ScimError if a required attribute is missing or empty. */
export function requireAttributes({ attributes }: ResourceType, resource: ScimFields): void {
  for (const { name, required } of attributes)
    if (required && (resource[name] === undefined || String(resource[name]).trim() === ""))
      throw invalidValue(`${name} is required`);
}
