import { analyse } from "scslre";

const RISK = {
  Move: "tries again at every character",
  Self: "repeats itself",
  Trade: "has two repetitions for the same text",
};

/**
 * A plugin for oxlint: refuses regular expressions that take more than linear time for some text, which is anybody's who
 * pastes or sends it. A bound on a repetition makes one linear, `trimEndOf()` replaces `/x+$/`.
 */
export default {
  meta: { name: "patterns" },
  rules: {
    linear: {
      create: (context) => ({
        Literal(node) {
          if (!node.regex) return;
          const { pattern: source, flags } = node.regex;
          const [risk] = analyse({ source, flags }, { maxReports: 1 }).reports;
          if (risk) context.report({ node, message: `Takes more than linear time: ${RISK[risk.type]}.` });
        },
      }),
    },
  },
};
