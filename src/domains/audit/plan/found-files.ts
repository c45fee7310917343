import { TextProblem } from "~/frame/untrusted-text/outcome";

const MOST_FILES = 20_000;

/** A file with its path in what was chosen or dropped. */
export interface FoundFile {
  readonly path: string;
  readonly file: File;
}

/** Those of a chosen directory, whose paths begin with its name; of single files, their names. */
export const foundIn = (files: readonly File[]): FoundFile[] =>
  files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));

const read = <T>(ask: (done: (value: T) => void, failed: (reason: unknown) => void) => void): Promise<T> =>
  new Promise(ask);

/** What was dropped, with everything in dropped directories. Must be called before the event is over. */
export function foundInDrop(items: DataTransferItemList): Promise<FoundFile[]> {
  // Only now: the list is empty after the event.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: FoundFile[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (found.length > MOST_FILES) throw new TextProblem("There are too many files in there for a state.");
    if (entry.isFile) {
      const file = await read<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
      found.push({ path: entry.fullPath.slice(1), file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a directory is read a hundred entries at a time
      const some = await read<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return;
      // oxlint-disable-next-line no-await-in-loop
      for (const each of some) if (!each.name.startsWith(".")) await walk(each);
    }
  };
  return Promise.all(entries.map(walk)).then(() => found);
}
