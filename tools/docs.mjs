/**
 * Writes the documentation as a static site: `npm run docs [-- --out <folder>]`. README, docs/, every page of this
 * repository that they lead to, and a reference of the API from the document that the service serves at /openapi.json. The
 * pages need no server and request nothing from elsewhere.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { createElement as h, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { jsx, jsxs } from "react/jsx-runtime";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => join(root, path);
const TITLE = "Platform Console";
const STYLES = "docs.css";

/** Sections of the sidebar: by their first page that matches. */
const SECTIONS = [
  ["Start", /^README\.md$/],
  ["Guides", /^docs\/[\w-]+\.md$/],
  ["Operate", /^docs\/operate\//],
  ["API reference", /^api\//],
  ["Decisions", /^docs\/decisions\//],
  ["Code", /^(?:src|server|contract|tools|e2e|deploy)\//],
  ["Project", /./],
];

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);

const isElement = (node) => node.type === "element";
function* elementsIn(node) {
  for (const child of node.children ?? []) {
    if (isElement(child)) yield child;
    yield* elementsIn(child);
  }
}
const textOf = (node) => (node.type === "text" ? node.value : (node.children ?? []).map(textOf).join(""));

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** Where a page of the repository is in the site: `docs/operate/README.md` is `docs/operate/index.html`. */
export const siteOf = (page) => page.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");

/** The page or file of the repository that a link leads to; undefined for an address or a place on the same page. */
function targetOf(page, link) {
  if (/^(?:[a-z][a-z+.-]*:|\/\/|#)/i.test(link) || link === "") return undefined;
  const [path = "", anchor] = link.split("#");
  const target = posix.normalize(posix.join(posix.dirname(page), decodeURI(path))).replace(/\/$/, "");
  const readme = posix.join(target, "README.md");
  const isFolder = existsSync(at(target)) && statSync(at(target)).isDirectory();
  return { target: isFolder && existsSync(at(readme)) ? readme : target, anchor };
}

const relative = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

/** Pages by path: the ones to begin with, and all that they lead to. */
function readPages() {
  const first = readdirSync(at("docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md"));
  const waiting = ["README.md", ...first.toSorted()];
  const pages = new Map();
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    if (pages.has(page)) continue;
    const tree = markdown.runSync(markdown.parse(readFileSync(at(page), "utf8")));
    pages.set(page, tree);
    for (const { properties } of elementsIn(tree)) {
      const found = targetOf(page, String(properties.href ?? ""))?.target;
      if (found?.endsWith(".md") && existsSync(at(found))) waiting.push(found);
    }
  }
  return pages;
}

/** Puts each table into a box that scrolls sideways on its own. */
function wrapTables(node) {
  node.children = (node.children ?? []).map((child) => {
    if (!isElement(child)) return child;
    if (child.tagName !== "table") return wrapTables(child);
    const properties = { className: ["table"], tabIndex: 0 };
    return { type: "element", tagName: "div", properties, children: [child] };
  });
  return node;
}

/** Gives headings their anchors, and leads links and images to where they are in the site. `files`: what they show. */
function prepare(page, tree, pages, files) {
  const used = new Map();
  for (const element of elementsIn(tree)) {
    const { tagName, properties } = element;
    if (/^h[1-6]$/.test(tagName)) {
      const anchor = anchorOf(textOf(element));
      const count = used.get(anchor) ?? 0;
      used.set(anchor, count + 1);
      properties.id = count === 0 ? anchor : `${anchor}-${count}`;
    }
    for (const name of ["src", "srcSet"]) {
      const found = properties[name] && targetOf(page, String(properties[name]).split(" ")[0]);
      if (!found) continue;
      files.add(found.target);
      properties[name] = relative(siteOf(page), found.target);
    }
    const found = tagName === "a" && targetOf(page, String(properties.href ?? ""));
    if (!found) continue;
    const { target, anchor } = found;
    if (pages.has(target))
      properties.href = relative(siteOf(page), siteOf(target)) + (anchor === undefined ? "" : `#${anchor}`);
    else {
      // A file of the repository, which the site does not have.
      element.tagName = "span";
      element.properties = { className: ["file"], title: `${target} in the repository` };
    }
  }
  return wrapTables(tree);
}

/** The description of the API, and how the console reads and orders it. */
async function readApi() {
  const load = async (path) => {
    const alias = { "~": at("src") };
    const options = { root, configFile: false, logLevel: "error", resolve: { alias } };
    return (await runnerImport(at(path), options)).module;
  };
  const [{ openApi }, { readConfig }, { endpoints }, reader, rows, explorer] = await Promise.all(
    [
      "server/platform/http/openapi.ts",
      "server/config.ts",
      "contract/index.ts",
      "src/api/openapi/document.ts",
      "src/api/openapi/field-rows.ts",
      "src/shell/api-explorer/data.ts",
    ].map(load),
  );
  const document = JSON.parse(JSON.stringify(openApi(readConfig({}), endpoints, "2")));
  const { operations, schemas } = reader.readDescription(document);
  return { document, schemas, rows, groups: explorer.groupOperations(operations) };
}

const code = (text) => h("code", null, text);
const json = (value) => h("pre", null, h("code", null, JSON.stringify(value, undefined, 2)));

function table(head, rows) {
  return h(
    "div",
    { className: "table", tabIndex: 0 },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, ...head.map((title) => h("th", { scope: "col" }, title)))),
      h(
        "tbody",
        null,
        ...rows.map(([name, ...cells]) =>
          h("tr", null, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", null, cell))),
        ),
      ),
    ),
  );
}

const yesNo = (is) => (is ? "Yes" : "No");
const meaning = ({ description, rule, choices }) =>
  [description, rule && `(${rule})`, choices.length > 0 && `One of ${choices.join(", ")}`]
    .filter(Boolean)
    .join(" ");

function fieldTable(schema, { rows, schemas }) {
  const fields = rows.fieldRows(schema, schemas);
  if (fields.length === 0) return h("p", null, `No fields: ${rows.typeWords(schema, schemas)}.`);
  return table(
    ["Field", "Type", "Required", "Description"],
    fields.map((field) => [code(field.name), field.type, yesNo(field.required), meaning(field)]),
  );
}

function operationPart(operation, api) {
  const { id, method, path, summary, description, extension, parameters, body, examples, responses } =
    operation;
  const { rows, schemas } = api;
  return h(
    "section",
    { className: "operation" },
    h("h2", { id }, summary),
    h("p", null, h("b", { className: "method" }, method), " ", code(path)),
    h("p", null, description),
    extension && h("p", null, "Extension: not in the published specification."),
    parameters.length > 0 && h("h3", null, "Parameters"),
    parameters.length > 0 &&
      table(
        ["Name", "In", "Type", "Required", "Description"],
        parameters.map(({ name, in: where, required, description: words, schema }) => [
          code(name),
          where,
          rows.typeWords(schema, schemas),
          yesNo(required),
          meaning({
            description: words,
            rule: rows.ruleWords(schema, schemas),
            choices: rows.choicesOf(schema, schemas),
          }),
        ]),
      ),
    body && h("h3", null, "Request body"),
    body && fieldTable(body, api),
    ...examples.map((example) => h("figure", null, h("figcaption", null, "Example"), json(example))),
    ...responses
      // The errors of all operations are the same: the page of all operations has them.
      .filter(({ status }) => status !== "default")
      .flatMap(({ status, schema, description: words }) => [
        h("h3", null, `Response: ${status}`),
        schema ? fieldTable(schema, api) : h("p", null, words),
      ]),
  );
}

const resourcePage = (resource) => `api/${resource}.html`;

/** The pages of the reference: all operations, and one for each resource. */
function apiPages(api) {
  const all = h(
    Fragment,
    null,
    h("h1", null, "API reference"),
    h(
      "p",
      null,
      "Every operation of the service, from the document that it serves at ",
      h("a", { href: "openapi.json" }, "/openapi.json"),
      ". Each needs an access token: ",
      code("Authorization: Bearer $TOKEN"),
      ".",
    ),
    ...api.groups.flatMap(({ resource, name, operations }) => [
      h("h2", { id: resource }, h("a", { href: `${resource}.html` }, name)),
      table(
        ["Operation", "Request"],
        operations.map(({ id, method, path, summary }) => [
          h("a", { href: `${resource}.html#${id}` }, summary),
          code(`${method} ${path}`),
        ]),
      ),
    ]),
    h("h2", { id: "errors" }, "Errors"),
    h("p", null, "Every refusal has this body, whatever the operation."),
    fieldTable({ $ref: "#/components/schemas/Status" }, api),
  );
  return [
    { path: "api/index.html", title: "All operations", content: all },
    ...api.groups.map(({ resource, name, operations }) => ({
      path: resourcePage(resource),
      title: name,
      content: h(
        Fragment,
        null,
        h("h1", null, name),
        ...operations.map((operation) => operationPart(operation, api)),
      ),
    })),
  ];
}

/** The pages of the site in the order of its sidebar. */
function inSections(pages) {
  const sectionOf = ({ source }) => SECTIONS.findIndex(([, matches]) => matches.test(source));
  const isIndex = ({ path }) => Number(!path.endsWith("index.html"));
  return pages
    .map((page, index) => ({ page, index, section: sectionOf(page) }))
    .toSorted((a, b) => a.section - b.section || isIndex(a.page) - isIndex(b.page) || a.index - b.index)
    .map(({ page, section }) => ({ ...page, section: SECTIONS[section][0] }));
}

function sidebar(pages, current) {
  const sections = [...new Set(pages.map(({ section }) => section))];
  return h(
    "nav",
    { "aria-label": "Pages" },
    ...sections.flatMap((section) => [
      h("p", null, section),
      h(
        "ul",
        null,
        ...pages
          .filter((page) => page.section === section)
          .map(({ path, title }) =>
            h(
              "li",
              null,
              h(
                "a",
                { href: relative(current, path), ...(path === current && { "aria-current": "page" }) },
                title,
              ),
            ),
          ),
      ),
    ]),
  );
}

function htmlOf(page, index, pages, version) {
  const { path, title, content } = page;
  const beside = (step, words) => {
    const other = pages[index + step];
    return other ? h("a", { href: relative(path, other.path), rel: words }, other.title) : h("span");
  };
  const whole = h(
    "html",
    { lang: "en" },
    h(
      "head",
      null,
      h("meta", { charSet: "utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("title", null, title === TITLE ? TITLE : `${title} · ${TITLE}`),
      h("link", { rel: "icon", href: relative(path, "favicon.svg") }),
      h("link", { rel: "stylesheet", href: relative(path, STYLES) }),
    ),
    h(
      "body",
      null,
      h("a", { className: "skip", href: "#content" }, "Skip to content"),
      h("header", null, h("a", { href: relative(path, "index.html") }, TITLE), h("span", null, version)),
      h(
        "div",
        { className: "columns" },
        sidebar(pages, path),
        h("main", { id: "content" }, content, h("footer", null, beside(-1, "prev"), beside(1, "next"))),
      ),
    ),
  );
  return `<!doctype html>\n${renderToStaticMarkup(whole)}\n`;
}

/** The stylesheet with the values of the console's tokens that it uses. */
function stylesheet() {
  const own = readFileSync(at("tools/docs.css"), "utf8");
  const theme = readFileSync(at("src/ui/theme.css"), "utf8");
  const tokens = new Map();
  const collect = (css) => {
    for (const [, name] of css.matchAll(/var\((--[\w-]+)\)/g)) {
      if (tokens.has(name)) continue;
      const value = new RegExp(`${name}:\\s*([^;]+);`).exec(theme)?.[1];
      if (value === undefined) throw new Error(`The theme has no ${name}`);
      tokens.set(name, value);
      collect(value);
    }
  };
  collect(own);
  const values = [...tokens].map(([name, value]) => `  ${name}: ${value.replaceAll(/\s+/g, " ")};\n`);
  return `:root {\n  color-scheme: light dark;\n${values.join("")}}\n\n${own}`;
}

/**
 * The files of the site by path.
 * @returns {Promise<Map<string, string | Buffer>>}
 */
export async function docsFiles() {
  const pages = readPages();
  const shown = new Set();
  const written = [...pages].map(([source, tree]) => {
    const heading = [...elementsIn(tree)].find(({ tagName }) => tagName === "h1");
    const ready = prepare(source, tree, pages, shown);
    return {
      source,
      path: siteOf(source),
      title: heading ? textOf(heading) : source,
      content: toJsxRuntime(ready, { Fragment, jsx, jsxs, tableCellAlignToStyle: false }),
    };
  });
  const api = await readApi();
  const reference = apiPages(api).map((page) => ({ ...page, source: page.path }));
  const all = inSections([...written, ...reference]);
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  return new Map([
    ...all.map((page, index) => [page.path, htmlOf(page, index, all, version)]),
    ...[...shown].map((file) => [file, readFileSync(at(file))]),
    ["favicon.svg", readFileSync(at("public/favicon.svg"))],
    ["api/openapi.json", `${JSON.stringify(api.document, undefined, 2)}\n`],
    [STYLES, stylesheet()],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { out: { type: "string", default: at("dist-docs") } } });
  const files = await docsFiles();
  rmSync(values.out, { recursive: true, force: true });
  for (const [path, content] of files) {
    const file = join(values.out, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  process.stderr.write(`${files.size} files in ${values.out}\n`);
}
