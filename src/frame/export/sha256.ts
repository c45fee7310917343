/** SHA-256 of a file, or of a text as UTF-8, in hex: what `sha256sum` prints for the file. */
export async function sha256(file: Blob | string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await new Blob([file]).arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
