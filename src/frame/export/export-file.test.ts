import { expect, test } from "vitest";

import type { Column } from "~/ui/table/types";

import { csvFile, fileColumns, fileName, jsonFile } from "./export-file";

interface Row {
  readonly uid: string;
  readonly name: string;
  readonly time?: string;
}

const columns: readonly Column<Row>[] = [
  { id: "name", header: "Name", cell: ({ name }) => name },
  { id: "time", header: "Created", cell: () => null, text: ({ time = "" }) => time },
];
const going = new AbortController().signal;

/** Keeps the byte order mark, which `text()` would remove. */
const whole = async (blob: Blob): Promise<string> =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(await blob.arrayBuffer());

test("a CSV file has a mark, the titles of the columns, and the uid of every row", async () => {
  const rows = [
    { uid: "a/1", name: "=cmd()", time: "2026-01-28T12:54:21Z" },
    { uid: "a/2", name: "é, ü" },
  ];
  expect(await whole(await csvFile(rows, columns, going))).toBe(
    '\uFEFFName,Created,uid\r\n\'=cmd(),2026-01-28T12:54:21Z,a/1\r\n"é, ü",,a/2\r\n',
  );
  const [name] = columns;
  const uid: Column<Row> = { id: "uid", header: "Identifier", cell: () => null, text: (row) => row.uid };
  expect(await whole(await csvFile(rows.slice(0, 1), [name as Column<Row>, uid], going))).toBe(
    "\uFEFFName,Identifier\r\n'=cmd(),a/1\r\n",
  );
});

test("omits columns without text from the file", async () => {
  const image: Column<Row> = { id: "image", header: "Image size", cell: () => null, text: false };
  expect(fileColumns([...columns, image]).map(({ header }) => header)).toEqual(["Name", "Created", "uid"]);
  expect(await whole(await csvFile([{ uid: "a/1", name: "x" }], [...columns, image], going))).toBe(
    "\uFEFFName,Created,uid\r\nx,,a/1\r\n",
  );
  const seen = { ...image, header: "Last seen", readTexts: async () => () => "never" };
  expect(fileColumns([...columns, seen]).map(({ header }) => header)).toContain("Last seen");
});

test("a JSON file is an array of the records as they are, none or many", async () => {
  const rows = Array.from({ length: 2500 }, (_, index) => ({ uid: `u${index}`, unknown: { deep: [index] } }));
  expect(JSON.parse(await (await jsonFile(rows, going)).text())).toEqual(rows);
  expect(JSON.parse(await (await jsonFile([], going)).text())).toEqual([]);
});

test("yields to the page while writing a hundred thousand rows, and stops when aborted", async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => ({ uid: `u${index}`, name: `row ${index}` }));
  let rests = 0;
  const watch = setInterval(() => rests++);
  const blob = await csvFile(rows, columns, going);
  clearInterval(watch);
  expect((await blob.text()).split("\r\n")).toHaveLength(100_002);
  expect(rests).toBeGreaterThan(1);
  const left = new AbortController();
  const writing = csvFile(rows, columns, left.signal);
  left.abort(new Error("left"));
  await expect(writing).rejects.toThrow("left");
});

test("a file is named after the list, its scope and the day, and says when it is not whole", () => {
  const now = new Date("2026-11-21T23:59:00Z");
  const name = { list: "Identities", scope: "Acme / Träger & Co.", partial: false, now };
  expect(fileName(name, "csv")).toBe("identities-acme-träger-co-2026-11-21.csv");
  expect(fileName({ ...name, filtered: true }, "csv")).toBe(
    "identities-acme-träger-co-filtered-2026-11-21.csv",
  );
  expect(fileName({ ...name, partial: true }, "json")).toBe(
    "identities-acme-träger-co-partial-2026-11-21.json",
  );
  expect(fileName({ ...name, scope: "Acme on 2026-11-03", partial: true, dated: true }, "csv")).toBe(
    "identities-acme-on-2026-11-03-partial-saved-2026-11-21.csv",
  );
  expect(fileName({ ...name, scope: "../../etc/\u202Epasswd" }, "csv")).toBe(
    "identities-etc-passwd-2026-11-21.csv",
  );
});
