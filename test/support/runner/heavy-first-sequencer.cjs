const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest test files, the slowest first. They mostly wait for processes or for time to pass, and if one starts last, the
 * whole run waits for it. Jest itself knows durations only after a first run, so never in a fresh clone.
 */
const heavy = [
  'typing-kill',
  'remote-parsers',
  'webhook-lanes',
  'mx-scenarios',
  'receiving-postfix',
  'receiving-shapes',
  'permissions',
  'freeze',
  'postgres-kill',
  'receiving-kill',
  'kill-workers',
  'contact-import-kill',
  'repeated-requests',
  'webhook-delivery',
  'embedded-postgres',
  'lifecycle',
  'documentation',
  'workers',
  'embedded-postgres-users',
  'three-workers',
  'large-emails',
  'backup',
  'smtp-operation',
  'rate-limiter',
  'malformed-requests',
  'postfix',
  'rolling-stop',
  'tracing',
  'delivery-transport',
  'html-to-text',
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
