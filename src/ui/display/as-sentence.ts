/** Adds the capital letter and the period that a text from the service can lack. */
export function asSentence(text: string): string {
  // An address begins as it is written.
  const begun = /^\w+:\/\//.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
