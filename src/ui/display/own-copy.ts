import { createContext } from "react";

/** Tells the fact around a copy button, or around a dash, that it needs no copy button of its own. Returns a function that takes it back. */
export const OwnCopy = createContext<(() => () => void) | undefined>(undefined);
