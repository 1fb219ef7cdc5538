import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// The analysis in JavaScript: the same on every machine, and no program of somebody else's is started.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** `a.*b` that may begin anywhere is quadratic, and with long words the analysis gives up on it. */
const unanchoredGap = {
  selector: 'Literal[regex.pattern=/^[^\\^].*[^\\\\](?:\\.|\\[\\^?\\]|\\[\\\\s\\\\S\\])[*+]\\??[^?|)]/]',
  message: 'Bound what may stand between two parts of an expression that begins anywhere: `.{0,60}`.',
};

/** Nest then wraps every handler of the program in Observables: a tenth of the CPU of a small request. */
const globalInterceptor = {
  selector: "Identifier[name='APP_INTERCEPTOR'], MemberExpression[property.name='useGlobalInterceptors']",
  message: 'A global interceptor slows every request. Use a hook of Fastify, or an interceptor of one handler.',
};

const foldedObject = {
  selector: ':matches(SpreadElement, JSXSpreadAttribute) > ObjectExpression.argument',
  message: 'Write the fields out, one a line.',
};

/** In tests it keeps rows of examples together. */
const foldedArray = {
  selector: 'SpreadElement > ArrayExpression.argument',
  message: 'Write the elements out.',
};

const inSources = [
  unanchoredGap,
  foldedObject,
  { selector: 'ExportDefaultDeclaration', message: 'No default exports.' },
  globalInterceptor,
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'The configuration object is the only reader of the environment.',
  },
];

const globalModule = {
  selector: "Decorator[expression.callee.name='Global']",
  message: 'Features import each other. Only a module that implements a port of a lib that must not know it is global.',
};

/** The rule reads its cache anew for each file, half a megabyte each time: one copy of it serves all files. */
const { create, ...redosRule } = redos.rules['no-vulnerable'];
let redosVisitor;
let redosContext;
const redosOnce = {
  rules: {
    'no-vulnerable': {
      ...redosRule,
      create: (context) => {
        redosContext = context;
        redosVisitor ??= create({ options: context.options, report: (problem) => redosContext.report(problem) });
        return redosVisitor;
      },
    },
  },
};

/** Text from outside meets these expressions: none may take more than linear time, whatever the text is. */
export const linearExpressions = {
  plugins: { regexp, redos: redosOnce },
  rules: {
    'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    // Knows more kinds, such as `a.*b` that begins anywhere, and gives up on what is too large to be analysed in time.
    // What it found is kept with the code, because it takes minutes: commit what it adds to the file.
    'redos/no-vulnerable': [
      'error',
      { timeout: 2_000, cache: { location: '.ci/checked-expressions.json', strategy: 'aggressive' } },
    ],
    'no-restricted-syntax': ['error', unanchoredGap],
  },
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'data/',
      'coverage/',
      '**/*.gen.ts',
      'apps/dashboard/src/theme/boot.js',
      'apps/dashboard/vite.config.ts',
      '**/*.mjs',
      '**/*.cjs',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  linearExpressions,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      // Ports are classes without members of their own and are injected as values.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/consistent-type-imports': 'off',
      'no-console': 'error',
      // Split along its story, or say why it is one: `// eslint-disable-next-line max-params -- the reason`.
      'max-params': ['error', 6],
      // Finds files that grew unnoticed. A class is split because it does two things, not to fit a limit.
      'max-lines': ['error', 400],
      'no-restricted-globals': [
        'error',
        {
          name: 'setInterval',
          message: 'Use `Timers`, which waits for the work and stops with the program; or give the reason.',
        },
      ],
      'no-restricted-syntax': ['error', ...inSources, foldedArray],
    },
  },
  {
    files: ['libs/**/*.ts'],
    ignores: ['libs/postgres/src/database/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: ['typeorm', '@nestjs/typeorm'].map((name) => ({ name, message: 'See docs/decisions/typeorm.md.' })) },
      ],
    },
  },
  {
    // `@Responses` says what a handler returns, and the compiler checks it.
    files: ['libs/**/*.controller.ts'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    files: ['libs/*/src/*.module.ts'],
    ignores: ['libs/{http,observability,platform,postgres,queue}/**'],
    rules: { 'no-restricted-syntax': ['error', ...inSources, foldedArray, globalModule] },
  },
  {
    // Nobody from outside reaches the tests, and the analysis is slow.
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      'redos/no-vulnerable': 'off',
      'max-lines': ['error', 400],
      'no-restricted-globals': 'off',
      'no-restricted-syntax': ['error', ...inSources],
    },
  },
  {
    files: ['apps/server/src/{main,postrider}.ts'],
    rules: { 'no-restricted-syntax': ['error', unanchoredGap, globalInterceptor] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-console': 'off',
      'max-params': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': ['error', foldedObject],
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Pages in a browser: components say what they return, and there is no environment and no `Timers`.
    files: ['apps/dashboard/src/**/*.ts', 'apps/dashboard/src/**/*.tsx'],
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      'no-restricted-globals': 'off',
    },
  },
);
