const KEY = "platform-console:invite";

/** Moves the code of an invite from the URL, `<base>invite#<code>`, to this tab's storage, to survive the sign-in. */
export function keepInvite(base: string): void {
  const { pathname, hash } = location;
  if (hash.length < 2 || pathname !== `${new URL(base).pathname}invite`) return;
  // First, so that whatever happens next, the code is in no URL, history entry or return path.
  history.replaceState(history.state, "", pathname);
  try {
    sessionStorage.setItem(KEY, hash.slice(1));
  } catch {
    // No storage: the page says that there is no invite.
  }
}

export const keptInvite = (storage: Storage = sessionStorage): string | undefined =>
  storage.getItem(KEY) ?? undefined;

export const forgetInvite = (): void => sessionStorage.removeItem(KEY);
