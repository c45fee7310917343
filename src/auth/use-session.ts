import { createContext, use, useSyncExternalStore } from "react";

import type { Person, Session } from "./session";

/** The session of this tab, provided by `app/app.tsx`. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionContext above it");
  return session;
}

/** The signed-in user; re-renders when the access token is renewed. */
export function usePerson(): Person {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.person);
}

/** Why the session has ended; undefined while it is active. */
export function useSessionEnding(): Session["ending"] {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.ending);
}

/** When the session ends, in seconds since 1970, if that is near and only signing in again prevents it. */
export function useSessionEnd(): number | undefined {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.endsAt);
}
