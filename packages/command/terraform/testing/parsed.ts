import { parse } from "@cdktn/hcl2json";

type Body = Readonly<Record<string, unknown>>;

/** A file as the parser reads it. */
export interface Parsed {
  readonly import?: readonly { readonly to: string; readonly id: string }[];
  readonly resource?: Readonly<Record<string, Readonly<Record<string, readonly Body[]>>>>;
  readonly data?: Parsed["resource"];
  readonly variable?: Readonly<Record<string, readonly Body[]>>;
}

/** The text that a literal means; the parser leaves the two marks in it that say that no template begins. */
export const textIn = (literal: string): string => literal.replaceAll(/([$%])\1\{/g, "$1{");

/** Reads HCL; throws where it is none. */
export const parsed = async (text: string): Promise<Parsed> => (await parse("export.tf", text)) as Parsed;

/** The body of a resource, by its address. */
export function bodyAt({ resource = {} }: Parsed, address: string): Body | undefined {
  const [type = "", name = ""] = address.replace(/^\$\{(.*)\}$/, "$1").split(".");
  return resource[type]?.[name]?.[0];
}
