import { spawn } from 'node:child_process';
import { buildOnChange } from './build-on-change.mjs';

/**
 * `npm run test:watch`: builds what changes, and lets Jest run the unit tests again. `p` in Jest's menu chooses files;
 * other tests are run with `npm run test:watch -- --selectProjects integration`.
 */
const chosen = process.argv.slice(2);
const projects = chosen.includes('--selectProjects') ? [] : ['--selectProjects', 'unit'];

buildOnChange(['libs', 'apps/server', 'scripts/generate', 'test'], () => undefined);
const jest = spawn(
  process.execPath,
  ['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--watchAll', ...projects, ...chosen],
  { stdio: 'inherit' },
);
jest.once('exit', (code) => process.exit(code ?? 0));
