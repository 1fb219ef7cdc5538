import redos from 'eslint-plugin-redos';

/**
 * Our own rules for the linter (`.oxlintrc.json`), as a plugin of ESLint's form. Each forbids what a selector finds.
 */
const forbid = (selector, message) => ({
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

/** The analysis in JavaScript: the same on every machine, and no program of somebody else's is started. */
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** The rule reads its cache anew for each file, half a megabyte each time: one copy of it serves all files. */
const { create, ...redosRule } = redos.rules['no-vulnerable'];
let redosVisitor;
let redosContext;
const vulnerableExpression = {
  ...redosRule,
  create: (context) => {
    redosContext = context;
    redosVisitor ??= create({ options: context.options, report: (problem) => redosContext.report(problem) });
    return redosVisitor;
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    'vulnerable-expression': vulnerableExpression,
    /** `a.*b` that may begin anywhere is quadratic, and with long words the analysis gives up on it. */
    'unanchored-gap': forbid(
      'Literal[regex.pattern=/^[^\\^].*[^\\\\](?:\\.|\\[\\^?\\]|\\[\\\\s\\\\S\\])[*+]\\??[^?|)]/]',
      'Bound what may stand between two parts of an expression that begins anywhere: `.{0,60}`.',
    ),
    'folded-object': forbid(
      ':matches(SpreadElement, JSXSpreadAttribute) > ObjectExpression.argument',
      'Write the fields out, one a line.',
    ),
    'folded-array': forbid('SpreadElement > ArrayExpression.argument', 'Write the elements out.'),
    'default-export': forbid('ExportDefaultDeclaration', 'No default exports.'),
    /** Nest then wraps every handler of the program in Observables: a tenth of the CPU of a small request. */
    'global-interceptor': forbid(
      "Identifier[name='APP_INTERCEPTOR'], MemberExpression[property.name='useGlobalInterceptors']",
      'A global interceptor slows every request. Use a hook of Fastify, or an interceptor of one handler.',
    ),
    environment: forbid(
      "MemberExpression[object.name='process'][property.name='env']",
      'The configuration object is the only reader of the environment.',
    ),
    'global-module': forbid(
      "Decorator[expression.callee.name='Global']",
      'Features import each other. Only a module that implements a port of a lib that must not know it is global.',
    ),
  },
};
