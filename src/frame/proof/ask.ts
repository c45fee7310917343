/** What a proof is to be made of. */
export type ProofAsk =
  | {
      readonly kind: "access";
      /** RFC 3339; `until`: the end of a period. */
      readonly from: string;
      readonly until?: string | undefined;
      readonly group?: string | undefined;
      readonly below?: boolean | undefined;
      readonly identity?: string | undefined;
    }
  | {
      readonly kind: "history";
      /** `kind`: only what is about a record of this kind, where another one has the same uid. */
      readonly record: { readonly uid: string; readonly kind?: string | undefined };
    }
  | { readonly kind: "review"; readonly review: string }
  | {
      readonly kind: "retention";
      readonly run: string;
      readonly place: string;
      readonly version: number;
      readonly from: string;
      readonly until: string;
    };

export interface ProofSubject {
  readonly ask: ProofAsk;
  /** What it is about, by name: for the name of the file. */
  readonly name: string;
  /** uid of the organization whose log is read. */
  readonly organization: string;
}
