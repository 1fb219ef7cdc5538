/**
 * `count-tests.cjs FAILED_STEPS RESULTS...` prints one line, `N passed, N failed, N skipped`, of Jest's JSON results. Exits with
 * status 1 unless tests passed and nothing failed. A test file that could not run counts as a failure, although it has no
 * failed tests. So do a run without results, and a run in which another step failed.
 */
const { existsSync, readFileSync } = require('node:fs');

const [failedSteps, ...files] = process.argv.slice(2);
const results = files.map((file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined));
const sum = (count) => results.reduce((total, result) => total + count(result), 0);

const passed = sum((result) => result?.numPassedTests ?? 0);
const skipped = sum((result) => (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0));
const failedTests = sum((result) => (result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 1));
const failed = failedSteps !== '' && failedTests === 0 ? 1 : failedTests;

console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
