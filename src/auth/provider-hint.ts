/** Splits a return path into the identity provider that a sign-in link names (`?provider=<uid>`) and the rest. */
export function takeProvider(returnPath: string): { readonly path: string; readonly provider?: string } {
  const [path = "", text = ""] = returnPath.split(/\?(.*)/s);
  const parameters = new URLSearchParams(text);
  const provider = parameters.get("provider");
  if (provider === null) return { path: returnPath };
  parameters.delete("provider");
  const rest = parameters.toString();
  return { path: rest ? `${path}?${rest}` : path, provider };
}
