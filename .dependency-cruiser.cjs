/** The import rules of the architecture: who may know whom. Features are folders of libs; index.ts is their front door. */
const uses = {
  identity: [],
  idempotency: [],
  'rate-limit': [],
  domains: ['identity'],
  suppressions: ['identity'],
  templates: ['identity'],
  contacts: ['identity'],
  'request-logs': ['identity'],
  emails: ['identity', 'domains', 'suppressions', 'templates', 'idempotency', 'rate-limit'],
  delivery: ['identity', 'emails', 'domains', 'suppressions', 'tracking'],
  'smtp-client': ['delivery'],
  mx: ['domains', 'delivery', 'smtp-client'],
  tracking: ['emails', 'domains', 'suppressions'],
  insights: ['identity'],
  sandbox: ['identity', 'domains', 'delivery'],
  smtp: ['identity', 'emails', 'rate-limit'],
  feedback: ['domains', 'emails', 'delivery', 'suppressions', 'smtp'],
  inbound: ['identity', 'domains', 'emails', 'delivery', 'suppressions'],
  broadcasts: ['identity', 'contacts', 'templates', 'emails'],
  webhooks: ['identity'],
  notices: ['identity', 'domains', 'emails', 'idempotency'],
};

const features = Object.keys(uses);
const anyFeature = `^libs/(${features.join('|')})/`;
const specs = '\\.spec\\.ts$';

const featureRules = features.map((feature) => ({
  name: `${feature}-uses-only-its-features`,
  comment: `${feature} may use: ${uses[feature].join(', ') || 'no other feature'}.`,
  severity: 'error',
  from: { path: `^libs/${feature}/`, pathNot: specs },
  to: { path: anyFeature, pathNot: `^libs/(${[feature, ...uses[feature]].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...featureRules,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'features-only-through-their-front-door',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: anyFeature, pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: specs },
      to: { pathNot: '^libs/kernel/' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'A domain knows its own domain, the kernel and, as types, what other features publish. No Nest, ORM or Node.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/domain/', pathNot: specs },
      to: { pathNot: ['^libs/$1/src/domain/', '^libs/kernel/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'application-knows-no-technology',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/application/', pathNot: specs },
      to: {
        pathNot: [
          '^libs/$1/src/(domain|application)/',
          '^libs/kernel/',
          '^libs/[^/]+/src/index\\.ts$',
          'node_modules/@nestjs/common/',
        ],
      },
    },
    {
      name: 'application-does-not-use-platform-or-mime',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/application/', pathNot: specs },
      to: { path: '^libs/(platform|mime)/' },
    },
    {
      name: 'drivers-do-not-know-adapters',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/infrastructure/(http|smtp)/', pathNot: specs },
      to: { path: '^libs/$1/src/infrastructure/(persistence|storage|transport)/' },
    },
    {
      name: 'mime-is-pure',
      severity: 'error',
      from: { path: '^libs/mime/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/(mime|kernel)/' },
    },
    {
      name: 'platform-has-no-features',
      severity: 'error',
      from: { path: '^libs/platform/', pathNot: specs },
      to: { path: ['^libs/', '^apps/'], pathNot: '^libs/(platform|kernel)/' },
    },
    {
      name: 'libs-do-not-know-apps',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'only-tests-import-test',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: specs },
      to: { path: '^test/' },
    },
    {
      name: 'no-dev-packages-in-the-program',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: specs },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['source', 'import', 'node', 'default'] },
  },
};
