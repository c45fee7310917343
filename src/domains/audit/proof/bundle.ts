import { strToU8, Zip, ZipDeflate } from "fflate";

import { sha256 } from "~/frame/export/sha256";

/** Writes a zip file bit by bit: what was compressed is kept, not the text. */
export class ZipFile {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  readonly #sums: string[] = [];
  readonly #zip = new Zip((error, data) => {
    if (error) throw error;
    this.#parts.push(new Uint8Array(data));
  });

  /** @param folder into which everything unpacks */
  constructor(readonly folder: string) {}

  /** Begins a file that comes in pieces. */
  open(name: string): { add(text: string): void; end(): Promise<void> } {
    const file = new ZipDeflate(`${this.folder}/${name}`, { level: 6 });
    this.#zip.add(file);
    // The browser can keep these on its disk.
    const texts: Blob[] = [];
    return {
      add: (text) => {
        texts.push(new Blob([text]));
        file.push(strToU8(text));
      },
      end: async () => {
        file.push(new Uint8Array(), true);
        this.#sums.push(`${await sha256(new Blob(texts))}  ${name}\n`);
      },
    };
  }

  async add(name: string, text: string): Promise<void> {
    const file = this.open(name);
    file.add(text);
    await file.end();
  }

  /** Adds the manifest, as `sha256sum` writes it. */
  end(): Blob {
    const file = new ZipDeflate(`${this.folder}/SHA256SUMS`, { level: 6 });
    this.#zip.add(file);
    file.push(
      strToU8(this.#sums.toSorted((one, other) => (one.slice(66) < other.slice(66) ? -1 : 1)).join("")),
      true,
    );
    this.#zip.end();
    return new Blob(this.#parts, { type: "application/zip" });
  }
}
