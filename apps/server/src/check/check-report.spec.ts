import { expect, it } from '@jest/globals';
import { checkReport, failuresOf, ReportedFinding } from './check-report.js';

const finding = (id: string, status: ReportedFinding['status'], fix: string | null = null): ReportedFinding => ({
  id,
  status,
  evidence: `"${id}" & <more>`,
  fix,
  source: { title: 'RFC 1', url: 'https://rfc.test/1' },
});

const findings = [
  finding('link_text', 'problem', 'Write words.'),
  finding('tracking', 'advice', 'Turn it off.'),
  finding('spf', 'good'),
  finding('image_alt', 'not_measured'),
];

it('counts what is as bad as the limit, or worse', () => {
  const ids = (severity: 'problem' | 'warning' | 'advice'): string[] =>
    failuresOf(findings, severity).map(({ id }) => id);
  expect([ids('problem'), ids('warning'), ids('advice')]).toEqual([
    ['link_text'],
    ['link_text'],
    ['link_text', 'tracking'],
  ]);
});

it('tells people what to improve', () => {
  expect(checkReport('text', 'mail.json', findings, 'problem')).toBe(
    'problem  link_text\n         "link_text" & <more>\n         Write words.\n         https://rfc.test/1\n\n' +
      'advice   tracking\n         "tracking" & <more>\n         Turn it off.\n         https://rfc.test/1\n\n' +
      '2 to improve, 1 passed\n',
  );
});

it('tells tools by SARIF, with a rule for each check and a result for each flaw', () => {
  const { version, runs } = JSON.parse(checkReport('sarif', 'mail.json', findings, 'problem')) as {
    version: string;
    runs: { tool: { driver: { rules: { id: string }[] } }; results: unknown[] }[];
  };
  expect(version).toBe('2.1.0');
  expect(runs[0]?.tool.driver.rules.map(({ id }) => id)).toEqual(['link_text', 'tracking', 'spf', 'image_alt']);
  expect(runs[0]?.results).toEqual([
    {
      ruleId: 'link_text',
      level: 'error',
      message: { text: '"link_text" & <more> Write words.' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'mail.json' } } }],
    },
    expect.objectContaining({ ruleId: 'tracking', level: 'note' }),
  ]);
});

it('tells tools by JUnit, with a test for each check', () => {
  const report = checkReport('junit', 'a&b.json', findings, 'problem');
  expect(report).toContain('<testsuite name="a&#38;b.json" tests="4" failures="1" skipped="1">');
  expect(report).toContain(
    '<testcase classname="postrider" name="link_text"><failure message="&#34;link_text&#34; &#38; &#60;more&#62;">Write words.</failure></testcase>',
  );
  expect(report).toContain('<testcase classname="postrider" name="tracking"/>');
});
