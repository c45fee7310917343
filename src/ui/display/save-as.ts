/** Downloads a text as a file. */
export const saveAs = (name: string, text: string, type: string): void =>
  saveBlob(name, new Blob([text], { type }));

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the URL only later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
