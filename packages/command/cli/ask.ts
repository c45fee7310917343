import { createInterface } from "node:readline/promises";

/** Asks a question that only "y" or "yes" answers with yes. */
export async function agrees(question: string, signal: AbortSignal): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await asking.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    asking.close();
  }
}
