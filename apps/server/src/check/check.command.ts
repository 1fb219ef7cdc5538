import { readFile } from 'node:fs/promises';
import { CommandCall, CommandError, UsageError } from '../command-line/command.js';
import { checkReport, failuresOf, ReportedFinding, ReportFormat, Severity } from './check-report.js';

/** `check <file>`: a client of the API, which needs no configuration of the program. The exit status is 1 for findings. */
export async function check({ operands, options, environment }: CommandCall): Promise<number> {
  const [file, ...others] = operands;
  if (file === undefined || others.length > 0) throw new UsageError('Name the file of one email.');
  const severity = oneOf<Severity>('fail-on', ['problem', 'warning', 'advice'], options['fail-on']);
  const format = oneOf<ReportFormat>('report', ['text', 'sarif', 'junit'], options.report);
  const findings = await findingsOf(await readFile(file, 'utf8'), options.links === true, environment);
  process.stdout.write(checkReport(format, file, findings, severity));
  return failuresOf(findings, severity).length > 0 ? 1 : 0;
}

function oneOf<Value extends string>(option: string, values: readonly Value[], given: unknown): Value {
  const value = values.find((each) => each === given);
  if (value === undefined) throw new UsageError(`--${option} is one of ${values.join(', ')}.`);
  return value;
}

async function findingsOf(
  email: string,
  asksLinks: boolean,
  environment: NodeJS.ProcessEnv,
): Promise<readonly ReportedFinding[]> {
  const { POSTRIDER_URL: url = 'http://127.0.0.1:3000', POSTRIDER_KEY: key } = environment;
  if (key === undefined) throw new CommandError('POSTRIDER_KEY is not set: it is the API key.');
  const response = await fetch(new URL('/emails/dry-run', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: asksLinks ? withLinksAsked(email) : email,
  });
  const answer = (await response.json()) as { message?: string; findings?: readonly ReportedFinding[] };
  if (answer.findings === undefined) throw new CommandError(`Refused with ${response.status}: ${answer.message}`);
  return answer.findings;
}

function withLinksAsked(email: string): string {
  let body: unknown;
  try {
    body = JSON.parse(email);
  } catch {
    throw new CommandError('The file is not JSON.');
  }
  return JSON.stringify({ ...(body as object), check_links: true });
}
