import type { Plugin } from "vite";

/** The shapes of an icon as `lucide-react` has them: element and attributes. */
type Shape = readonly [name: string, attributes: Readonly<Record<string, string>>];

/** Attributes that are geometry; an icon with any other keeps its shapes. */
const GEOMETRY: Readonly<Record<string, readonly string[]>> = {
  path: ["d"],
  circle: ["cx", "cy", "r"],
  ellipse: ["cx", "cy", "rx", "ry"],
  line: ["x1", "y1", "x2", "y2"],
  polyline: ["points"],
  polygon: ["points"],
  rect: ["x", "y", "width", "height", "rx", "ry"],
};

/** Behind another shape, a relative first "m" would begin where that ends; pairs after it are relative lines. */
const absolute = (d: string): string =>
  d.replace(
    /^\s*m\s*(-?[\d.]+)[\s,]*(-?(?:\d*\.)?\d+)[\s,]*(?<rest>[\d.-]?)/,
    (_all, x: string, y: string, rest: string) => `M${x} ${y}${rest && `l${rest}`}`,
  );

function pathOf([name, attributes]: Shape): string {
  const of = (key: string): number => Number(attributes[key] ?? 0);
  if (name === "path") return absolute(attributes["d"] ?? "");
  if (name === "line") return `M${of("x1")} ${of("y1")}L${of("x2")} ${of("y2")}`;
  if (name === "polyline" || name === "polygon")
    return `M${attributes["points"]?.trim()}${name === "polygon" ? "z" : ""}`;
  if (name === "rect") {
    const [width, height] = [of("width"), of("height")];
    const rx = Math.min(of(attributes["rx"] === undefined ? "ry" : "rx"), width / 2);
    const ry = Math.min(of(attributes["ry"] === undefined ? "rx" : "ry"), height / 2);
    const corner = (x: number, y: number) => (rx > 0 && ry > 0 ? `a${rx} ${ry} 0 0 1 ${x} ${y}` : "");
    return [
      `M${of("x") + rx} ${of("y")}h${width - 2 * rx}${corner(rx, ry)}v${height - 2 * ry}${corner(-rx, ry)}`,
      `h${2 * rx - width}${corner(-rx, -ry)}v${2 * ry - height}${corner(rx, -ry)}z`,
    ].join("");
  }
  const [rx, ry] = name === "circle" ? [of("r"), of("r")] : [of("rx"), of("ry")];
  return `M${of("cx") - rx} ${of("cy")}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0z`;
}

/** The same drawing as one path; undefined if its shapes differ in more than geometry. */
export function onePath(shapes: readonly Shape[]): string | undefined {
  const plain = shapes.every(([name, attributes]) =>
    Object.keys(attributes).every((key) => key === "key" || GEOMETRY[name]?.includes(key)),
  );
  return plain ? shapes.map(pathOf).join("") : undefined;
}

/** A component without the library's contexts and options, which nothing here uses: an icon is in every row. */
const COMPONENT = `
import { createElement } from "react";
const TITLED = ["aria-label", "aria-labelledby", "role", "title"];
export default ({ name, node }) => ({ size = 24, className = "", ...rest }) =>
  createElement(
    "svg",
    {
      width: size,
      height: size,
      viewBox: "0 0 24 24",
      className: ("lucide lucide-" + name + " " + className).trim(),
      "aria-hidden": TITLED.some((key) => key in rest) ? undefined : "true",
      ...rest,
    },
    node.map(([shape, attributes]) => createElement(shape, attributes)),
  );
`;

/**
 * Draws each icon of `lucide-react` as one path. With several shapes, icons are a third of the elements of a list, all of which
 * take part in each change of styles. Only in builds: the server of `npm run dev` bundles packages by itself.
 */
export const onePathIcons: Plugin = {
  name: "one-path-icons",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    if (!id.includes("/lucide-react/dist/esm/")) return undefined;
    if (id.endsWith("/createLucideIcon.mjs")) return { code: COMPONENT, map: null };
    const node =
      /\/icons\/[\w-]+\.mjs$/.test(id) && /\bnode: (\[\[[\s\S]*?\]\]|\[\n[\s\S]*?\n {2}\])/.exec(code)?.[1];
    if (!node) return undefined;
    // What an icon's file has there are literals.
    const path = onePath(new Function(`return ${node}`)() as readonly Shape[]);
    if (path === undefined) return undefined;
    return { code: code.replace(node, JSON.stringify([["path", { d: path, key: "path" }]])), map: null };
  },
};
