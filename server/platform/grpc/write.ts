import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { endpoints } from "platform-contract";

import { protoFiles } from "./files";
import { protoText } from "./text";

/** `npm run proto`: assigns numbers to new fields and writes all proto files. */
// Built, this is server/dist/proto.js.
const root = fileURLToPath(new URL("../..", import.meta.url));
const { files, methods, numbering } = protoFiles(endpoints);
writeFileSync(
  join(root, "server/platform/grpc/numbers.json"),
  `${JSON.stringify(numbering.all(), null, 2)}\n`,
);
const directory = join(root, "proto");
if (existsSync(directory)) rmSync(directory, { recursive: true });
for (const file of files) {
  const path = join(directory, file.name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, protoText(file, methods, numbering));
}
process.stdout.write(`${files.length} files with ${methods.length} operations in proto/\n`);
