const KEY = "platform-console:invite";

/** Takes the code of an invite out of an address, `<base>invite#<code>`, and keeps it over the sign-in, in this tab alone. */
export function keepInvite(base: string): void {
  const { pathname, hash } = location;
  if (hash.length < 2 || pathname !== `${new URL(base).pathname}invite`) return;
  // First: whatever happens to the code, it is in no address, no history and no return path.
  history.replaceState(history.state, "", pathname);
  try {
    sessionStorage.setItem(KEY, hash.slice(1));
  } catch {
    // A browser without storage: the page says that there is no invite.
  }
}

export const keptInvite = (storage: Storage = sessionStorage): string | undefined =>
  storage.getItem(KEY) ?? undefined;

export const forgetInvite = (): void => sessionStorage.removeItem(KEY);
