import { createContext, use } from "react";

export interface WritesPaused {
  /** "api.example.com cannot be reached. Changes wait until it can be." */
  readonly reason: string;
  readonly tryNow: () => void;
}

/** Why no form can save now; the shell sets it while the service cannot be reached. */
export const WritesPausedContext = createContext<WritesPaused | undefined>(undefined);

export const useWritesPaused = (): WritesPaused | undefined => use(WritesPausedContext);
