import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const directory = mkdtempSync(join(tmpdir(), 'postrider-count-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function count(failedSteps: string, ...results: object[]): { readonly line: string; readonly status: number | null } {
  const files = results.map((result, index) => {
    const file = join(directory, `${index}.json`);
    writeFileSync(file, JSON.stringify(result));
    return file;
  });
  const { stdout, status } = spawnSync(process.execPath, ['.ci/count-tests.cjs', failedSteps, ...files]);
  return { line: stdout.toString(), status };
}

const result = (numPassedTests: number, numFailedTests: number, numPendingTests: number, others = {}) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  ...others,
});

const took = (seconds: number) => ({ startTime: 10_000, endTime: 10_000 + seconds * 1_000 });

it('the last line of CI counts what passed, failed and was skipped', () => {
  expect(count('', result(10, 0, 2), result(5, 0, 1))).toEqual({ line: '15 passed, 0 failed, 3 skipped\n', status: 0 });
  expect(count('', result(10, 1, 0, { numTodoTests: 4 }))).toEqual({
    line: '10 passed, 1 failed, 4 skipped\n',
    status: 1,
  });
});

it('a file that could not run, a step that failed and a run without results count as failed', () => {
  expect(count('', result(10, 0, 0, { numRuntimeErrorTestSuites: 2 })).line).toBe('10 passed, 2 failed, 0 skipped\n');
  expect(count(' [npm run lint]', result(10, 0, 0))).toEqual({ line: '10 passed, 1 failed, 0 skipped\n', status: 1 });
  const { stdout } = spawnSync(process.execPath, ['.ci/count-tests.cjs', '', join(directory, 'missing.json')]);
  expect(stdout.toString()).toMatch(/^.*missing\.json: no results\n0 passed, 1 failed, 0 skipped\n$/);
});

it('what passed only when it was repeated is named with the beginning of why it failed at first', () => {
  const lines = Array.from({ length: 40 }, (_, no) => `line ${no}`);
  const repeated = { status: 'passed', fullName: 'a page opens', invocations: 2, retryReasons: [lines.join('\n')] };
  const old = { status: 'passed', fullName: 'a list', invocations: 2 };
  const wide = { status: 'passed', fullName: 'a wide page', invocations: 2, retryReasons: ['x'.repeat(100_000)] };
  const testResults = [
    { name: 'page.test.js', ...took(3), status: 'passed', message: '', assertionResults: [repeated, old, wide] },
  ];
  const { line, status } = count('', result(3, 0, 0, { testResults }));
  const why = 'passed only when it was repeated, which is a fault of the test\n';
  expect(line).toBe(
    `page.test.js: a page opens: ${why}${lines.slice(0, 12).join('\n')}\n\n` +
      `page.test.js: a list: ${why}\n` +
      `page.test.js: a wide page: ${why}${'x'.repeat(1_200)}\n\n` +
      '3 s  page.test.js\n3 passed, 0 failed, 0 skipped\n',
  );
  expect(status).toBe(0);
});

it('what failed is named before it, with its message and, behind the slowest files, without', () => {
  const failed = { status: 'failed', fullName: 'a mail arrives', failureMessages: ['Expected: 1\nReceived: 2'] };
  const testResults = [
    {
      name: '/a/dist/mail.test.js',
      ...took(2),
      status: 'failed',
      message: '',
      assertionResults: [{ status: 'passed' }, failed],
    },
    { name: 'other.test.js', ...took(7), status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ];
  expect(count('', result(1, 1, 0, { testResults, numRuntimeErrorTestSuites: 1 })).line).toBe(
    '/a/dist/mail.test.js: a mail arrives\nExpected: 1\nReceived: 2\n\nother.test.js: Cannot find module\n\n' +
      '7 s  other.test.js\n2 s  mail.test.js\n' +
      'failed: mail.test.js: a mail arrives\nfailed: other.test.js: could not run\n1 passed, 2 failed, 0 skipped\n',
  );
});
