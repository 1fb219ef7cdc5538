/** The import rules of the architecture: who may know whom. Features are folders of libs; index.ts is their front door. */
const uses = {
  identity: [],
  idempotency: [],
  'rate-limit': [],
  // Which of several installations keeps and sends the mail of a domain.
  cells: ['identity'],
  domains: ['identity', 'cells'],
  certificates: ['domains'],
  suppressions: ['identity', 'cells'],
  templates: ['identity'],
  // Emails are screened by the audience, so the audience knows nothing of emails: what follows from their events comes through feedback.
  audience: ['identity', 'suppressions'],
  'contact-imports': ['identity', 'audience'],
  'contact-activity': ['audience', 'emails'],
  'request-logs': ['identity'],
  emails: ['identity', 'cells', 'domains', 'suppressions', 'audience', 'templates', 'idempotency', 'rate-limit'],
  unsubscribe: ['identity', 'domains', 'audience'],
  delivery: ['identity', 'emails', 'domains', 'suppressions', 'tracking', 'unsubscribe'],
  'smtp-client': ['delivery'],
  'provider-reports': [],
  mx: ['identity', 'domains', 'delivery', 'smtp-client', 'provider-reports'],
  tracking: ['emails', 'domains', 'suppressions'],
  insights: ['identity', 'domains', 'audience', 'emails', 'reports', 'provider-reports'],
  reputation: ['identity', 'domains', 'delivery', 'insights'],
  checks: ['identity', 'domains', 'suppressions', 'emails', 'delivery', 'tracking', 'mx'],
  reports: ['identity', 'domains', 'inbound'],
  'inbound-routes': ['identity', 'domains', 'emails', 'delivery', 'inbound', 'inboxes', 'smtp-client', 'idempotency'],
  inboxes: ['identity', 'domains', 'emails', 'inbound', 'idempotency'],
  sandbox: ['identity', 'domains', 'delivery'],
  smtp: ['identity', 'emails', 'rate-limit'],
  feedback: ['domains', 'emails', 'delivery', 'suppressions', 'audience', 'unsubscribe', 'smtp'],
  inbound: ['identity', 'domains', 'emails', 'delivery', 'rate-limit', 'smtp'],
  broadcasts: ['identity', 'domains', 'audience', 'emails'],
  automations: ['identity', 'audience', 'emails', 'templates', 'webhooks'],
  // Writes the contents of broadcasts and templates, which know nothing of documents.
  editor: ['identity', 'broadcasts', 'templates', 'emails', 'audit'],
  images: ['identity', 'emails'],
  webhooks: ['identity'],
  privacy: ['identity', 'suppressions'],
  live: ['identity', 'emails'],
  search: ['identity', 'audience'],
  accounts: ['identity', 'audit', 'rate-limit'],
  'machine-room': ['identity'],
  audit: ['identity'],
  oauth: ['identity', 'accounts', 'audit'],
  // Tools for agents, on the API alone.
  mcp: ['identity', 'accounts'],
  // The APIs of other providers, on the use cases that our own API has.
  wires: [
    'identity',
    'domains',
    'emails',
    'suppressions',
    'templates',
    'idempotency',
    'rate-limit',
    'smtp',
    'webhooks',
  ],
  notices: ['identity', 'domains', 'emails', 'idempotency'],
};

/** Libs of technologies, which serve all features. */
const technologies = 'http|observability|platform|postgres|queue';

const features = Object.keys(uses);
const anyFeature = `^libs/(${features.join('|')})/`;
const specs = '\\.spec\\.ts$';
/** Folders of `infrastructure` whose code is called from outside. All other folders of it are adapters. */
const drivers = 'http|smtp|worker';

/**
 * Files of `infrastructure` that a front door may export, by lib, beside the modules and the schema of its tables. A file that is
 * not named here stays inside of its lib.
 */
const published = {
  // Another lib's driver or adapter shares these with the lib that owns the format.
  identity: [
    'http/audited',
    'http/change-recorder',
    'http/permissions-of',
    'http/principal.guard',
    'http/principal-sources',
    'http/request-principals',
    'persistence/actor-columns',
    // Joins tables of this lib in the transaction of others.
    'persistence/present-authorities',
  ],
  // Doors of other libs for operators, and for people who are signed in. `npm run user` works without the program.
  accounts: ['persistence/set-user-password', 'http/operator.guard', 'http/request-users', 'http/same-origin'],
  // A command asks for it beside the program.
  certificates: ['persistence/revoke-certificate'],
  // The operator's list has the same shape as a team's.
  audit: ['http/audit.response'],
  idempotency: ['http/fingerprint'],
  tracking: ['rendering/mail-tracking'],
  unsubscribe: ['rendering/mail-unsubscribe'],
  // Scheduled times are read by both doors, the event log by consumers; programs that extend Postrider choose a store.
  emails: [
    'http/scheduled-at',
    // Drafts and replies have attachments of the same kind.
    'http/attachment.request',
    // Links to received content are of the same kind.
    'http/signed-links',
    'http/email.response',
    // A dry run takes what sending takes, and is refused with the same.
    'http/send-(email[.]request|errors)',
    'persistence/email-event-log',
    'storage/(directory|in-memory|postgres|s3)-message-store',
  ],
  // A broadcast writes the members of its segment down in one statement of its own.
  // Who unsubscribed is counted by a consumer.
  audience: ['persistence/filters/segment-members', 'persistence/unsubscribe-log'],
  // Strategies that programs which extend Postrider and tests choose.
  domains: ['dns/(in-memory|system)-dns-resolver', 'persistence/sealed-key-samples'],
  delivery: ['transport/in-memory-delivery-transport'],
  'rate-limit': [
    '(in-process|shared)-rate-limiter',
    'fallback-window-leases',
    'persistence/postgres-window-leases',
    'redis/redis-window-leases',
  ],
  // The program composes its transport of them, and the doctor checks the source addresses that the rules name.
  mx: ['configured-mx', 'mx-delivery-transport', 'routes/operator-rules', 'sites/source-hosts'],
  // The program opens and closes them itself, and shows the link to the inbox at the start.
  // Finished messages come over HTTP as well.
  smtp: ['smtp/smtp-listeners', 'mime/finished-message'],
  sandbox: ['http/inbox-token'],
  // The program composes its transport with it. Inboxes find threads in the same way, and note those of what they send.
  inbound: ['local-delivery-transport', 'mime/message-ids', 'persistence/received-threads'],
};
const publishedFiles = Object.entries(published).flatMap(([lib, files]) =>
  files.map((file) => `^libs/${lib}/src/infrastructure/${file}\\.ts$`),
);

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
      comment: 'The way back from a feature that is used is an event or a port.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pages-keep-their-styles',
      comment: 'What two pages of the dashboard share is in `parts`.',
      severity: 'error',
      from: { path: '^apps/dashboard/src/pages/([^/]+)/' },
      to: { path: '^apps/dashboard/src/pages/[^/]+/.*[.]css$', pathNot: '^apps/dashboard/src/pages/$1/' },
    },
    {
      name: 'dashboard-knows-the-api-only',
      comment: 'It has the types of `docs/openapi.json`, and nothing of the program.',
      severity: 'error',
      from: { path: '^apps/dashboard/src/' },
      to: { path: '^(libs|apps/server|test)/' },
    },
    {
      name: 'features-only-through-their-front-door',
      comment: '`index.ts` is the only file of a lib that other libs import.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: anyFeature, pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'The kernel is for all, so it depends on nothing, not even on Node.',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: specs },
      to: { pathNot: '^libs/kernel/' },
    },
    {
      name: 'events-are-declarations',
      comment: 'The registry of event types is for all, so it knows only the kernel.',
      severity: 'error',
      from: { path: '^libs/events/', pathNot: specs },
      to: { pathNot: '^libs/(events|kernel)/' },
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
      comment:
        'Use cases know their domain, their ports, front doors of other features and `Injectable`. Hashes, random tokens and the list of public suffixes need no port: they are functions without I/O.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/src/application/', pathNot: specs },
      to: {
        pathNot: [
          '^libs/$1/src/(domain|application)/',
          '^libs/kernel/',
          '^libs/[^/]+/src/index\\.ts$',
          'node_modules/@nestjs/common/',
          '^(node:)?crypto$',
          'node_modules/tldts/',
        ],
      },
    },
    {
      name: 'application-uses-no-technology-or-mime',
      comment: 'A use case that needs a technology has a port for it.',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/application/', pathNot: specs },
      to: { path: `^libs/(${technologies}|mime)/` },
    },
    {
      name: 'drivers-do-not-know-adapters',
      comment:
        'A driver (http, smtp, worker) calls use cases and ports. `mime` holds pure functions that read messages, for both sides.',
      severity: 'error',
      from: { path: `^libs/([^/]+)/src/infrastructure/(${drivers})/`, pathNot: specs },
      to: {
        path: '^libs/$1/src/infrastructure/',
        pathNot: `^libs/$1/src/infrastructure/(${drivers}|mime)/`,
      },
    },
    {
      name: 'drivers-do-not-know-each-other',
      comment: 'Each role has drivers of its own. What two of them need is a use case.',
      severity: 'error',
      from: { path: `^libs/([^/]+)/src/infrastructure/(${drivers})/`, pathNot: specs },
      to: { path: `^libs/$1/src/infrastructure/(${drivers})/`, pathNot: '^libs/$1/src/infrastructure/$2/' },
    },
    {
      name: 'adapters-do-not-know-drivers',
      comment:
        'An adapter is called by the application. It has nothing to ask of a controller, a listener or a worker.',
      severity: 'error',
      from: {
        path: '^libs/([^/]+)/src/infrastructure/',
        pathNot: [specs, `^libs/[^/]+/src/infrastructure/(${drivers})/`],
      },
      to: { path: `^libs/$1/src/infrastructure/(${drivers})/` },
    },
    {
      name: 'front-doors-export-no-adapters',
      comment:
        'Other libs use ports. A file of `infrastructure` is exported only where `published` names it, with the reason.',
      severity: 'error',
      from: { path: '^libs/[^/]+/src/index\\.ts$' },
      to: {
        path: '^libs/[^/]+/src/infrastructure/',
        pathNot: [...publishedFiles, '^libs/[^/]+/src/infrastructure/persistence/schema\\.ts$'],
      },
    },
    {
      name: 'protocol-knows-no-framework',
      comment:
        'The SMTP protocol is plain code. It gets what it needs as values, and knows mime and the words of delivery.',
      severity: 'error',
      from: { path: '^libs/smtp-client/src/protocol/', pathNot: specs },
      to: {
        path: ['node_modules/@nestjs/', '^libs/'],
        pathNot: ['^libs/smtp-client/src/protocol/', '^libs/kernel/', '^libs/(mime|delivery)/src/index\.ts$'],
      },
    },
    {
      name: 'mail-hosts-know-no-framework',
      comment:
        'Finding and using mail hosts is plain code; the module, the configuration and the tables of mx are beside it.',
      severity: 'error',
      from: { path: '^libs/mx/src/infrastructure/(sites|routes)/', pathNot: specs },
      to: { path: ['node_modules/@nestjs/', `^libs/(${technologies})/`, '^libs/[^/]+/src/[^/]+\\.module\\.ts$'] },
    },
    {
      name: 'mime-is-pure',
      comment: 'Pure functions on bytes, usable without anything else of Postrider.',
      severity: 'error',
      from: { path: '^libs/mime/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/(mime|kernel)/' },
    },
    {
      name: 'technologies-know-no-features',
      comment: 'Technologies serve all features and know none.',
      severity: 'error',
      from: { path: `^libs/(${technologies})/`, pathNot: specs },
      to: { path: ['^libs/', '^apps/'], pathNot: `^libs/(${technologies}|events|kernel)/` },
    },
    {
      name: 'libs-do-not-know-apps',
      comment: 'The program composes libs, not the other way round.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'only-tests-import-test',
      comment: 'Support for tests never reaches the program.',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: specs },
      to: { path: '^test/' },
    },
    {
      name: 'no-dev-packages-in-the-program',
      comment: 'The image is installed without development packages.',
      severity: 'error',
      // The dashboard is bundled.
      from: { path: '^(libs|apps/server)/', pathNot: specs },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['postrider-source', 'import', 'node', 'default'],
    },
  },
};
