import { useRouterState } from "@tanstack/react-router";
import { useState } from "react";

/**
 * What a control shows whose value is elsewhere, such as in the address, and follows a moment later: the user's last
 * input, at once. A second press then acts on what the control shows, not on what was there before the first.
 * @param value where it is kept
 * @param apply puts an input there
 */
export function useLastInput<T>(value: T, apply: (next: T) => void): [shown: T, input: (next: T) => void] {
  const status = useRouterState({ select: (state) => state.status });
  const [known, setKnown] = useState({ value, status });
  // Inputs that the value has not followed yet, oldest first.
  const [inputs, setInputs] = useState<readonly T[]>([]);
  if (value !== known.value || status !== known.status) {
    setKnown({ value, status });
    // A navigation that is over leaves nothing to follow. Until then the value can skip some of the inputs; any other
    // value was set elsewhere: Back, or "Clear filters".
    const followed = status === "idle" && known.status !== "idle" ? -1 : inputs.indexOf(value);
    if (followed >= 0) setInputs(inputs.slice(followed + 1));
    else if (value !== known.value || status === "idle") setInputs([]);
  }
  const input = (next: T): void => {
    setInputs([...inputs, next]);
    apply(next);
  };
  return [inputs.length === 0 ? value : (inputs.at(-1) as T), input];
}
