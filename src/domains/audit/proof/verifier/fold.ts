/** What these entries say: JSON. `unknown`: what they can't tell, a sentence each. */
export interface FoldedAnswer {
  readonly begins?: { readonly entry: string; readonly time: string } | undefined;
  readonly unknown: readonly string[];
}

interface Fold {
  /** @param entry as the API gave it; each once, in the order of the chain */
  add(entry: object): void;
  end(): FoldedAnswer;
}

/** The name of the question in `question.json`. */
export declare const kind: string;
export declare function startFold(question: object): Fold;
