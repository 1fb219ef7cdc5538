const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest test files, the slowest first. They mostly wait for processes or for time to pass, and if one starts last, the
 * whole run waits for it. Jest itself knows durations only after a first run, so never in a fresh clone.
 */
const heavy = [
  'cells',
  'remote-parsers',
  'regions',
  'workers',
  'packed-program',
  'embedded-postgres',
  'reputation-guard',
  'smtp-operation',
  'openapi-examples',
  'three-workers',
  'malformed-requests',
  'receiving-shapes',
  'sign-in',
  'webhook-lanes',
  'backup',
  'postfix',
  'wires-mailgun',
  'receiving-postfix',
  'receiving',
  'permissions',
  'embedded-postgres-users',
  'tools',
  'provider-reports',
  'documentation',
  'lifecycle',
  'webhook-delivery',
  'automation-order',
  'large-emails',
  'webhooks',
  'rolling-stop',
  'teams',
  'inboxes',
  'broadcast-fan-out',
  'images',
  'repeated-requests',
  'mx-scenarios',
  'delivery-transport',
  'tracing',
  'freeze',
  'rate-limiter',
  'html-to-text',
  // In runs of their own.
  'typing-kill',
  'postgres-kill',
  'receiving-kill',
  'kill-workers',
  'contact-import-kill',
];

module.exports = class HeavyFirstSequencer extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = heavy.indexOf(basename(path).replace(/\.(test|spec)\.js$/, ''));
      return at === -1 ? heavy.length : at;
    };
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
};
