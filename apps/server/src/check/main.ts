import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkReport, failuresOf, ReportedFinding, ReportFormat, Severity } from './check-report.js';

const usage = `Checks an email before it is sent, for a build: npm run check-email -- mail.json
mail.json is the body of POST /emails. POSTRIDER_URL (http://127.0.0.1:3000) and POSTRIDER_KEY say where and who.

  --fail-on problem|warning|advice   what makes the exit status 1 (problem)
  --report text|sarif|junit          what is printed (text)
  --links                            requests each link, to find dead ones

Exit status: 0, 1 for findings, 2 if the email is refused or cannot be checked.
`;

/** A sentence for whoever started the command. */
class CheckError extends Error {}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(error instanceof CheckError ? `${error.message}\n` : `${String(error)}\n`);
  return 2;
});

async function main(): Promise<number> {
  const { positionals, values } = argumentsOf();
  const [file, ...others] = positionals;
  const severity = oneOf<Severity>(['problem', 'warning', 'advice'], values['fail-on']);
  const format = oneOf<ReportFormat>(['text', 'sarif', 'junit'], values.report);
  if (file === undefined || others.length > 0 || severity === undefined || format === undefined) {
    throw new CheckError(usage);
  }
  const findings = await findingsOf(await readFile(file, 'utf8'), values.links);
  process.stdout.write(checkReport(format, file, findings, severity));
  return failuresOf(findings, severity).length > 0 ? 1 : 0;
}

function argumentsOf() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'fail-on': { type: 'string', default: 'problem' },
        report: { type: 'string', default: 'text' },
        links: { type: 'boolean', default: false },
      },
    });
  } catch {
    throw new CheckError(usage);
  }
}

function oneOf<Value extends string>(values: readonly Value[], given: string): Value | undefined {
  return values.find((value) => value === given);
}

async function findingsOf(email: string, asksLinks: boolean): Promise<readonly ReportedFinding[]> {
  // eslint-disable-next-line no-restricted-syntax -- a client of the API, which has no configuration of the program
  const { POSTRIDER_URL: url = 'http://127.0.0.1:3000', POSTRIDER_KEY: key } = process.env;
  if (key === undefined) throw new CheckError('POSTRIDER_KEY is not set: it is the API key.');
  const response = await fetch(new URL('/emails/dry-run', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: asksLinks ? withLinksAsked(email) : email,
  });
  const answer = (await response.json()) as { message?: string; findings?: readonly ReportedFinding[] };
  if (answer.findings === undefined) throw new CheckError(`Refused with ${response.status}: ${answer.message}`);
  return answer.findings;
}

function withLinksAsked(email: string): string {
  let body: unknown;
  try {
    body = JSON.parse(email);
  } catch {
    throw new CheckError('The file is not JSON.');
  }
  return JSON.stringify({ ...(body as object), check_links: true });
}
