import { useState, type ReactNode } from "react";

import { takesJustifications } from "~/api/client/client";
import { onDemand } from "~/ui/on-demand";

// With its field, which no screen needs before a dialog opens.
const JustificationWords = onDemand(async () => (await import("./justification-words")).JustificationWords);

interface Justification {
  /** Undefined where the service does not keep it, or the user said nothing. */
  readonly justification: string | undefined;
  readonly field: ReactNode;
}

/** Why access changes, for a dialog that is no form; `asked`: false if it changes nobody's access. */
export function useJustification(asked = true): Justification {
  const [words, setWords] = useState("");
  const takes = takesJustifications() && asked;
  return {
    justification: takes && words.trim() !== "" ? words : undefined,
    field: takes ? <JustificationWords value={words} onChange={setWords} /> : null,
  };
}
