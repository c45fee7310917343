import type { LinkTarget } from "./link";

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Where the thing can be seen. */
  readonly link?: { readonly label: string; readonly target: LinkTarget } | undefined;
}

interface Countdown {
  readonly timer?: ReturnType<typeof setTimeout>;
  readonly since: number;
  /** Milliseconds that were left at `since`. */
  readonly left: number;
}

const SHOWN_MS = 6000;
const LEAST_MS = 1000;
const MOST = 3;

let toasts: readonly Toast[] = [];
let next = 1;
let paused = false;
const listeners = new Set<() => void>();
const countdowns = new Map<number, Countdown>();

function set(value: readonly Toast[]): void {
  toasts = value;
  for (const listener of listeners) listener();
}

function count(id: number, left: number): void {
  const since = Date.now();
  countdowns.set(id, paused ? { since, left } : { since, left, timer: setTimeout(() => dismiss(id), left) });
}

export const currentToasts = (): readonly Toast[] => toasts;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says that something worked, for six seconds; errors have places of their own (rule 6). */
export function toast(text: string, link?: Toast["link"]): void {
  const id = next++;
  for (const old of toasts.slice(0, -(MOST - 1))) dismiss(old.id);
  set([...toasts, { id, text, link }]);
  count(id, SHOWN_MS);
}

export function dismiss(id: number): void {
  clearTimeout(countdowns.get(id)?.timer);
  countdowns.delete(id);
  set(toasts.filter((each) => each.id !== id));
}

/** Stops every clock while somebody reads or reaches for the link (WCAG 2.2.1). */
export function pause(): void {
  if (paused) return;
  paused = true;
  for (const [id, { timer, since, left }] of countdowns) {
    clearTimeout(timer);
    count(id, Math.max(LEAST_MS, left - (Date.now() - since)));
  }
}

export function resume(): void {
  if (!paused) return;
  paused = false;
  for (const [id, { left }] of countdowns) count(id, left);
}
