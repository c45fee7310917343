import { createContext, use } from "react";

/** Why nothing can be written now, whatever the form; the shell says so while the service cannot be reached. */
export const HeldBackContext = createContext<string | undefined>(undefined);

export const useHeldBack = (): string | undefined => use(HeldBackContext);
