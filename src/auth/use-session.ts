import { createContext, use, useSyncExternalStore } from "react";

import type { Person, Session } from "./session";

/** The session of this tab, given by `app/app.tsx` to everything on screen. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession needs a SessionContext above it");
  return session;
}

/** Who is signed in; renders again when the access token was renewed. */
export function usePerson(): Person {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.person);
}

/** Whether and why the session has ended; undefined while it is active. */
export function useSessionEnding(): Session["ending"] {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.ending);
}

/** When the session ends, in seconds since 1970, if that is near and only signing in again prevents it. */
export function useSessionEnd(): number | undefined {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, () => session.endsAt);
}
