/**
 * Replaces the text between the two marker lines of a document.
 * @param {string} document
 * @param {string} marker
 * @param {string} text
 */
export function fill(document, marker, text) {
  const [begin, end] = [`<!-- ${marker}: begin -->`, `<!-- ${marker}: end -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The document has no place marked ${begin} ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}
