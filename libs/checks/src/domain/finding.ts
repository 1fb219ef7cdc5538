/** `not_measured`: what the check needs is not known, or does not apply. */
export type CheckStatus = 'problem' | 'warning' | 'advice' | 'good' | 'not_measured';

/** The worst first. */
export const checkStatuses: readonly CheckStatus[] = ['problem', 'warning', 'advice', 'good', 'not_measured'];

/** The document that the rule of a check comes from. */
export interface Source {
  readonly title: string;
  readonly url: string;
}

/** What a check says about one message. */
export interface Verdict {
  readonly status: CheckStatus;
  /** What was seen, and where. One line, at most `maxEvidence` characters. */
  readonly evidence: string;
  /** What to do. Undefined if there is nothing to do. */
  readonly fix?: string;
}

export interface CheckFinding extends Verdict {
  readonly id: string;
  readonly source: Source;
}

const maxEvidence = 300;

export function good(evidence: string): Verdict {
  return { status: 'good', evidence: oneLine(evidence) };
}

export function notMeasured(why: string): Verdict {
  return { status: 'not_measured', evidence: oneLine(why) };
}

export function flaw(status: 'problem' | 'warning' | 'advice', evidence: string, fix: string): Verdict {
  return { status, evidence: oneLine(evidence), fix };
}

/** Text of the message may stand in it: without control characters and line breaks. */
function oneLine(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
  return line.length <= maxEvidence ? line : `${line.slice(0, maxEvidence - 1)}…`;
}

/** `1 link`, `2 links`. */
export function counted(things: number | readonly unknown[], noun: string): string {
  const count = typeof things === 'number' ? things : things.length;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first few of a list, in quotation marks. */
export function listed(values: readonly string[], max = 3): string {
  const shown = [...new Set(values)].slice(0, max).map((value) => `"${value.slice(0, 80)}"`);
  const others = new Set(values).size - shown.length;
  return shown.join(', ') + (others > 0 ? ` and ${others} more` : '');
}
