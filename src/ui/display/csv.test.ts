import { expect, test } from "vitest";

import { csvLine } from "./csv";

test("quotes only what RFC 4180 requires", () => {
  expect(csvLine(["plain", "", "a b", "naïve 名前", "semi;colon"])).toBe(
    "plain,,a b,naïve 名前,semi;colon\r\n",
  );
  expect(csvLine(["a,b", 'say "hi"', "two\nlines", "cr\rhere"])).toBe(
    '"a,b","say ""hi""","two\nlines","cr\rhere"\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\uFF1D1"])("%j is no formula any more", (text) => {
  expect(csvLine([text])).toBe(`'${text}\r\n`);
});

test("a formula that has to be quoted begins with its apostrophe inside of the quotes", () => {
  expect(csvLine(['=HYPERLINK("https://evil.example","x")'])).toBe(
    '"\'=HYPERLINK(""https://evil.example"",""x"")"\r\n',
  );
  expect(csvLine(["\r=1", "\n=1"])).toBe('"\'\r=1","\'\n=1"\r\n');
  expect(csvLine(["a=1", "2-1", " =1"])).toBe("a=1,2-1, =1\r\n");
});
