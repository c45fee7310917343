import { cpus, totalmem } from "node:os";

import { FEW, MANY } from "./cases";
import type { Result } from "./pages";

const quantile = (times: readonly number[], share: number): number => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const both = (times: readonly number[]): string =>
  `${ms(quantile(times, 0.5))} / ${ms(quantile(times, 0.95))}`;
const median = (times: readonly number[]): number => quantile(times, 0.5);

export const DEEP_AT_MOST = 1.2;
export const HTTP_AT_MOST = 3;

/** A page at 90 % of the list compared with the first one, over HTTP. */
const deepByFirst = ({ http }: Result): number => median(http.deep) / median(http.first);
/** Compared with the second one, which like every later page does not count the total. */
const deepBySecond = ({ http }: Result): number => median(http.deep) / median(http.second);
const httpByBare = ({ http, bare }: Result): number => median(http.deep) / median(bare.deep);

export function pagesTable(results: readonly Result[]): string {
  const head = [
    "database",
    "list",
    "scope",
    "visible groups",
    "rows",
    "order",
    "first",
    "second",
    "at 90 %",
    "deep / first",
    "deep / second",
    "bare, at 90 %",
    "HTTP / bare",
  ];
  const lines = results.map((result) => [
    result.database,
    result.list,
    result.scope,
    result.roots.toLocaleString("en"),
    result.total.toLocaleString("en"),
    result.order,
    both(result.http.first),
    both(result.http.second),
    both(result.http.deep),
    deepByFirst(result).toFixed(2),
    deepBySecond(result).toFixed(2),
    both(result.bare.deep),
    httpByBare(result).toFixed(1),
  ]);
  const rule = head.map((name) => (["database", "list", "scope", "order"].includes(name) ? "---" : "---:"));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Reports the promises, and where they do not hold. */
export function promises(results: readonly Result[]): string[] {
  const judge = (what: string, most: number, some: readonly Result[], figure: (result: Result) => number) => {
    const name = (result: Result) =>
      `${result.database}, ${result.list}, ${result.scope}, ${result.roots} visible, by ${result.order}: ${figure(result).toFixed(2)}`;
    const broken = some.filter((result) => figure(result) > most);
    const worst = Math.max(...some.map(figure)).toFixed(2);
    if (broken.length === 0)
      return [`${what} is at most ${most} everywhere (${some.length} lists, worst ${worst}).`];
    return [
      `${what} is over ${most} in ${broken.length} of ${some.length} lists:`,
      ...broken.map((one) => `  ${name(one)}`),
    ];
  };
  const promised = results.filter((result) => result.promised);
  return [
    ...judge("Deep / first page", DEEP_AT_MOST, promised, deepByFirst),
    ...judge("HTTP / bare query", HTTP_AT_MOST, results, httpByBare),
    ...firstPages(results),
  ];
}

/** Compares the first pages of repos with many and few tags: counting them must not matter. */
function firstPages(results: readonly Result[]): string[] {
  const of = (scope: string) => results.filter((result) => result.list === "tags" && result.scope === scope);
  return of(MANY).flatMap((many) => {
    const few = of(FEW).find(({ database, order }) => database === many.database && order === many.order);
    if (!few) return [];
    const ratio = median(many.http.first) / median(few.http.first);
    const [more, less] = [many, few].map(({ total }) => total.toLocaleString("en"));
    return [
      `First page of ${more} tags / of ${less}, ${many.database}, by ${many.order}: ${ratio.toFixed(2)}.`,
    ];
  });
}

/** The origin of the figures; `rows` describes the amount of data. */
export function hostLine(rows: string, databases: readonly string[]): string {
  const [processor] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${cpus().length} x ${processor?.model.trim() ?? "unknown processor"}, ${memory}`;
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${machine}, Node ${process.versions.node}, ${databases.join(", ")}; ${rows}.`;
}
