/** "7f3a9c12…b21e04aa": both ends, since uids under one group begin alike and differ at the end. */
export function shorten(text: string, head = 8, tail = 8): string {
  return text.length <= head + tail + 3 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
