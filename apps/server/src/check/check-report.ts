/** A finding as `POST /emails/dry-run` returns it. */
export interface ReportedFinding {
  readonly id: string;
  readonly status: 'problem' | 'warning' | 'advice' | 'good' | 'not_measured';
  readonly evidence: string;
  readonly fix: string | null;
  readonly source: { readonly title: string; readonly url: string };
}

export type ReportFormat = 'text' | 'sarif' | 'junit';
export type Severity = 'problem' | 'warning' | 'advice';

const severities: readonly Severity[] = ['problem', 'warning', 'advice'];

/** The findings that are as bad as `severity`, or worse. */
export function failuresOf(findings: readonly ReportedFinding[], severity: Severity): readonly ReportedFinding[] {
  const counted: readonly string[] = severities.slice(0, severities.indexOf(severity) + 1);
  return findings.filter(({ status }) => counted.includes(status));
}

/** @param file the path of the checked file, for tools that show the findings beside it */
export function checkReport(
  format: ReportFormat,
  file: string,
  findings: readonly ReportedFinding[],
  severity: Severity,
): string {
  switch (format) {
    case 'text':
      return textReport(findings);
    case 'sarif':
      return sarifReport(file, findings);
    case 'junit':
      return junitReport(file, findings, failuresOf(findings, severity));
  }
}

function textReport(findings: readonly ReportedFinding[]): string {
  const flaws = failuresOf(findings, 'advice');
  const lines = flaws.map(
    ({ id, status, evidence, fix, source }) =>
      `${status.padEnd(8)} ${id}\n         ${evidence}\n${fix === null ? '' : `         ${fix}\n`}         ${source.url}\n`,
  );
  const good = findings.filter(({ status }) => status === 'good').length;
  return `${lines.join('\n')}${lines.length === 0 ? '' : '\n'}${flaws.length} to improve, ${good} passed\n`;
}

const levels: Readonly<Record<string, string>> = { problem: 'error', warning: 'warning', advice: 'note' };

/** SARIF 2.1.0, as GitHub and others show it beside a file. */
function sarifReport(file: string, findings: readonly ReportedFinding[]): string {
  const report = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Postrider',
            rules: findings.map(({ id, source }) => ({
              id,
              shortDescription: { text: source.title },
              helpUri: source.url,
            })),
          },
        },
        results: failuresOf(findings, 'advice').map(({ id, status, evidence, fix }) => ({
          ruleId: id,
          level: levels[status],
          message: { text: fix === null ? evidence : `${evidence} ${fix}` },
          locations: [{ physicalLocation: { artifactLocation: { uri: file } } }],
        })),
      },
    ],
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** JUnit's XML: one test for each check. */
function junitReport(file: string, findings: readonly ReportedFinding[], failures: readonly ReportedFinding[]): string {
  const skipped = findings.filter(({ status }) => status === 'not_measured');
  const tests = findings.map((finding) => {
    const test = `    <testcase classname="postrider" name="${escaped(finding.id)}"`;
    if (skipped.includes(finding)) return `${test}><skipped message="${escaped(finding.evidence)}"/></testcase>`;
    if (!failures.includes(finding)) return `${test}/>`;
    return `${test}><failure message="${escaped(finding.evidence)}">${escaped(finding.fix ?? '')}</failure></testcase>`;
  });
  const counts = `tests="${findings.length}" failures="${failures.length}" skipped="${skipped.length}"`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="${escaped(file)}" ${counts}>\n` +
    `${tests.join('\n')}\n  </testsuite>\n</testsuites>\n`
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
