/** There is too much to read; the message says what to do. */
export class TooMuch extends Error {}
