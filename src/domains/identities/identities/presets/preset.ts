/** An input field of a preset. */
export interface PresetField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example: string;
  /** Initial value. */
  readonly initial?: string;
  readonly optional?: boolean;
  /** The text must match, or else `problem` is shown. */
  readonly like?: RegExp;
  readonly problem?: string;
  /** Options to choose from, which can contain other fields. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/**
 * A token provider and its claims. In templates, `{name}` is a field; a `*`, in a template or a field, matches any text
 * without `barrier` characters, and turns the text into a pattern. Omits templates that use an empty optional field.
 */
export interface Preset {
  readonly value: string;
  readonly label: string;
  /** Describes the workloads; `docs` is the provider's documentation of their tokens. */
  readonly about: string;
  readonly docs: string;
  readonly fields: readonly PresetField[];
  readonly rule:
    | {
        readonly issuer: string;
        readonly subject: string;
        readonly audience?: string;
        readonly claims?: Readonly<Record<string, string>>;
      }
    | { readonly awsAccount: string; readonly arn: string; readonly userId: string };
  /** Characters that `*` doesn't match, so that it cannot extend into the next part of the text. */
  readonly barrier: string;
  /** The claims of the provider's tokens, with one line of explanation each. */
  readonly claims: readonly { readonly claim: string; readonly means: string }[];
  /** An example subject in the provider's format. */
  readonly example: string;
}

export const UUID_EXAMPLE = "6f9619ff-8b86-d011-b42d-00c04fc964ff";

type Named = Omit<PresetField, "like" | "problem">;

export const uuidField = (field: Omit<Named, "example">): PresetField => ({
  ...field,
  example: UUID_EXAMPLE,
  like: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  problem: `Enter a UUID, such as ${UUID_EXAMPLE}`,
});

export const numberField = (field: Named): PresetField => ({
  ...field,
  like: /^\d+$/,
  problem: "Use digits only",
});

export const issuerField = (field: Omit<Named, "name">): PresetField => ({
  ...field,
  name: "issuer",
  like: /^https?:\/\/\S+$/,
  problem: "Enter the issuer's URL, starting with https://",
});
