/** The licenses of the packages that the console and the service consist of, as one text. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const LICENSE_FILE = /^(?:un)?licen[cs]e|^copying|^notice/i;

const LINE = "-".repeat(80);

/** For the few packages that only name it. Source: https://spdx.org/licenses/MIT.html */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const authorOf = ({ author }) => (typeof author === "object" ? author.name : author?.replace(/ *<.*/, ""));

/** The license texts of one package, as its files have them or, without any, as it declares. */
function textsOf(root, path, license) {
  const files = readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map((entry) =>
      readFileSync(join(root, path, entry.name), "utf8")
        .replaceAll("\r\n", "\n")
        .trim(),
    )
    .toSorted();
  if (files.length > 0) return files.join(`\n\n${LINE}\n\n`);
  const author = authorOf(JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")));
  const holder = author ? `Copyright (c) ${author}\n\n` : "";
  if (license === "MIT") return `${holder}${MIT}`;
  if (license.includes("Apache-2.0")) return `${holder}${readFileSync(join(root, "LICENSE"), "utf8").trim()}`;
  throw new Error(`${path} has no license file, and its license is ${license}`);
}

/**
 * The notices of every package that `package-lock.json` has beyond those for development; packages with the same text
 * share it. Throws if a package has no license.
 * @param {string} root of the repository, with its packages installed
 */
export function notices(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  /** @type {Map<string, Set<string>>} names by text */
  const byText = new Map();
  for (const [path, { version, license, dev, devOptional, link }] of Object.entries(packages)) {
    if (!path.includes("node_modules/") || dev || devOptional || link) continue;
    if (!license) throw new Error(`${path} has no license`);
    const text = textsOf(root, path, license);
    const names = byText.get(text) ?? byText.set(text, new Set()).get(text);
    names.add(`${nameOf(path)} ${version} (${license})`);
  }
  const parts = [...byText]
    .map(([text, names]) => `${[...names].toSorted().join("\n")}\n\n${text}\n`)
    .toSorted();
  const head = "Platform Console contains the following software, under the licenses below it.\n";
  return [head, ...parts].join(`\n${"=".repeat(80)}\n\n`);
}
