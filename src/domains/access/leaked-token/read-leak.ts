import { bare, readToken, timeOf, type Token } from "~/domains/identities/identities/token-tester/read-token";
import type { Trust } from "~/domains/identities/identities/issuer-trust";

/** What the page keeps of a token that leaked: nothing with which anybody could sign in. */
export interface Leak {
  /** Its id; undefined if it has none, or none that an audit log keeps. */
  readonly jti: string | undefined;
  /** Its claims, to find whose it is; undefined if only the id is known. */
  readonly token: Token | undefined;
  /** uid of the identity that a token of this service names, from an exchange. */
  readonly exchangedFor: string | undefined;
  /** In ms; undefined if it doesn't say. */
  readonly issued: number | undefined;
  readonly ends: number | undefined;
}

export type LeakReading =
  | { readonly is: "leak"; readonly leak: Leak }
  /** Neither a token nor claims: perhaps an id, which is looked for only when the user says so. */
  | { readonly is: "id"; readonly jti: string }
  | { readonly is: "unreadable"; readonly title: string; readonly text: string };

/** Bytes of an id that the audit log keeps. */
const JTI_BYTES = 200;

const isId = (claim: unknown): claim is string =>
  typeof claim === "string" &&
  /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u.test(claim) &&
  new TextEncoder().encode(claim).length <= JTI_BYTES;

function leakOf(claims: Token["claims"], token: Token | undefined): Leak {
  const { jti, iat, exp, exchanged } = claims;
  const identity: unknown =
    typeof exchanged === "object" && exchanged !== null && "identity" in exchanged
      ? exchanged.identity
      : undefined;
  return {
    jti: isId(jti) ? jti : undefined,
    token,
    exchangedFor: typeof identity === "string" ? identity : undefined,
    issued: timeOf(iat),
    ends: timeOf(exp),
  };
}

const unreadable = (title: string, text: string): LeakReading => ({ is: "unreadable", title, text });

/** Claims as JSON, such as the middle part of a token. */
function readClaims(text: string): LeakReading {
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    return unreadable("These claims aren't JSON", "They may be cut off.");
  }
  if (typeof claims !== "object" || claims === null || Array.isArray(claims))
    return unreadable("These claims aren't a JSON object", "Paste the whole object, with its braces.");
  const known: Token["claims"] = Object.fromEntries(Object.entries(claims));
  const { iss, sub, aud = [] } = known;
  const token =
    typeof iss === "string" && typeof sub === "string" && iss !== "" && sub !== ""
      ? {
          issuer: iss,
          subject: sub,
          audiences: [aud].flat().filter((each): each is string => typeof each === "string"),
          claims: known,
          algorithm: "",
          keyId: undefined,
        }
      : undefined;
  const leak = leakOf(known, token);
  if (!token && leak.jti === undefined)
    return unreadable(
      "These claims name nobody",
      "They need iss and sub, or jti, as strings. Without one of them nothing can be found.",
    );
  return { is: "leak", leak };
}

/**
 * Reads what was pasted: a token, its claims, or its id. A text that could be a part of a token is no id, since an id is
 * sent to the service. Undefined for nothing.
 */
export function readLeak(text: string, trust: Trust): LeakReading | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  if (typed.startsWith("{")) return readClaims(typed);
  const jwt = bare(typed);
  const { token, problems } = readToken(jwt, trust, 0);
  if (token) return { is: "leak", leak: leakOf(token.claims, token) };
  const isPart = jwt.startsWith("eyJ") || jwt.split(".").length > 2 || !isId(jwt);
  const [problem] = problems;
  if (isPart) return unreadable(problem?.title ?? "This isn't a JWT", problem?.text ?? "");
  return { is: "id", jti: jwt };
}
