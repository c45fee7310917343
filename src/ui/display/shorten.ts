/** "7f3a9c12…b21e04aa": both ends, since uids in one group start alike and differ at the end. */
export function shorten(text: string, head = 8, tail = 8): string {
  return text.length <= head + tail + 3 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

/** The first characters of a digest, as clients show it. */
export const shortDigest = (digest: string): string =>
  /^sha256:[0-9a-f]{64}$/.test(digest) ? digest.slice(0, 19) : shorten(digest);
