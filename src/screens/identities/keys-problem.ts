/** Members that only a private or a shared key has (RFC 7518, section 6). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Why a text is no JWKS document (RFC 7517) of public keys; undefined for one that may be. */
export function keysProblem(text: string): string | undefined {
  let keys: unknown;
  try {
    keys = (JSON.parse(text) as { keys?: unknown } | null)?.keys;
  } catch {
    return "This is not JSON";
  }
  if (!Array.isArray(keys)) return 'A JWKS document has a list "keys"';
  if (keys.length === 0) return "There is no key in it";
  const objects = keys.filter(
    (key): key is object => typeof key === "object" && key !== null && !Array.isArray(key),
  );
  if (objects.length < keys.length) return "Each key is an object";
  // Said before anything is sent: a private key that has left the machine is no longer one.
  if (objects.some((key) => PRIVATE.some((member) => member in key) || Object(key).kty === "oct"))
    return "This holds a private key. Paste the public keys alone, and replace the private one if it was shared.";
  return undefined;
}
