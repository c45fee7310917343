import { createContext, useContext } from "react";

/** Replaces what the form around says about the last save; without a text, clears it. */
export const FormMessageContext = createContext<(text?: string) => void>(() => undefined);
export const useFormMessage = () => useContext(FormMessageContext);
