/** Why a text can't be read, in a sentence for the person who gave it. */
export class TextProblem extends Error {}

/** What a worker answers. */
export type TextOutcome<A> = { readonly value: A } | { readonly problem: string };
