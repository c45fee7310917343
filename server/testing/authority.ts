import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface Certified {
  /** The file with the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  readonly ca: string;
  /** PEM of the server's key and of its certificate. */
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** A company's own authority, made by openssl in a folder, and what it signed for `names` ("DNS:a.example,IP:10.0.0.1"). */
export function certify(folder: string, names: string, authority = "Corp CA"): Certified {
  const at = (name: string): string => path.join(folder, name);
  const openssl = (...options: string[]) => void execFileSync("openssl", options, { stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", `/CN=${authority}`);
  openssl("req", "-new", ...key, "-keyout", at("own.key"), "-out", at("own.csr"), "-subj", "/CN=own");
  writeFileSync(at("names"), `subjectAltName=${names}`);
  const signed = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-extfile", at("names")];
  openssl("x509", "-req", "-in", at("own.csr"), ...signed, "-out", at("own.pem"));
  return { ca: at("ca.pem"), key: readFileSync(at("own.key")), cert: readFileSync(at("own.pem")) };
}
