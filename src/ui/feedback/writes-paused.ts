import { createContext, use } from "react";

export interface WritesPaused {
  /** "api.example.com cannot be reached. Changes wait until it can be." */
  readonly reason: string;
  readonly tryNow: () => void;
}

/** Why nothing can be written now, whatever the form; the shell says so while the service cannot be reached. */
export const WritesPausedContext = createContext<WritesPaused | undefined>(undefined);

export const useWritesPaused = (): WritesPaused | undefined => use(WritesPausedContext);
