/**
 * `count-tests.cjs FAILED_STEPS RESULTS...` repeats what failed in Jest's JSON results, with the beginning of its message,
 * because much output lies between, and names what passed only when it was repeated, with the reasons of its failures. Then
 * come the slowest files, `STEP_SECONDS`, and once more the names of what failed, because whoever shows only the end of a
 * long output should show them. Its last line is `N passed, N failed, N skipped`. Exits with status 1 unless tests passed and nothing failed. A test file that
 * could not run counts as a failure, although it has no failed tests. So do a run without results, and a run in which another
 * step failed.
 */
const { existsSync, readFileSync } = require('node:fs');

const [failedSteps, ...files] = process.argv.slice(2);
const results = files.map((file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined));

const beginningOf = (message) => message.split('\n').slice(0, 12).join('\n');
/** A reason may hold a whole page that a browser showed. */
const shortened = (reason) => beginningOf(reason).slice(0, 1_200);
for (const [index, result] of results.entries()) {
  if (!result) console.log(`${files[index]}: no results`);
  for (const file of result?.testResults ?? []) {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (file.status === 'failed' && tests.length === 0) console.log(`${file.name}: ${beginningOf(file.message)}\n`);
    for (const test of tests)
      console.log(`${file.name}: ${test.fullName}\n${beginningOf(test.failureMessages.join('\n'))}\n`);
    for (const test of file.assertionResults.filter(
      ({ status, invocations }) => status === 'passed' && invocations > 1,
    ))
      console.log(
        [
          `${file.name}: ${test.fullName}: passed only when it was repeated, which is a fault of the test`,
          ...(test.retryReasons ?? []).slice(0, 3).map(shortened),
          '',
        ].join('\n'),
      );
  }
}

const failedNames = results.flatMap((result) =>
  (result?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    return (status === 'failed' && tests.length === 0 ? ['could not run'] : tests).map((test) => `${name}: ${test}`);
  }),
);

const shownFiles = 15;
const ran = results.flatMap((result) => result?.testResults ?? []);
const secondsOf = ({ startTime, endTime }) => Math.round((endTime - startTime) / 1_000);
const slowest = ran.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, shownFiles);
const shortNameOf = (name) => name.replace(/^.*\/dist\//, '');
for (const file of slowest) console.log(`${secondsOf(file)} s  ${shortNameOf(file.name)}`);
if (process.env.STEP_SECONDS) console.log(process.env.STEP_SECONDS);
for (const name of failedNames.slice(0, 30)) console.log(`failed: ${shortNameOf(name)}`);

const sum = (count) => results.reduce((total, result) => total + count(result), 0);

const passed = sum((result) => result?.numPassedTests ?? 0);
const skipped = sum((result) => (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0));
const failedTests = sum((result) => (result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 1));
const failed = failedSteps !== '' && failedTests === 0 ? 1 : failedTests;

console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
