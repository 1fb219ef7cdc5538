import { Check } from './check.js';
import { appearanceChecks } from './checks/appearance.js';
import { authenticationChecks } from './checks/authentication.js';
import { bulkChecks } from './checks/bulk.js';
import { contentChecks } from './checks/content.js';
import { headerChecks } from './checks/header.js';
import { imageChecks } from './checks/images.js';
import { linkChecks } from './checks/links.js';
import { senderChecks } from './checks/sender.js';
import { checkStatuses, CheckStatus, CheckFinding } from './finding.js';
import { CheckedMessage } from './message-facts.js';

/** All checks. Their order decides among findings of the same status. */
export const checks: readonly Check[] = [
  ...authenticationChecks,
  ...senderChecks,
  ...bulkChecks,
  ...linkChecks,
  ...contentChecks,
  ...imageChecks,
  ...appearanceChecks,
  ...headerChecks,
];

/** What each check says about a message, the worst first. */
export function checkMessage(checked: CheckedMessage): CheckFinding[] {
  const findings = checks.map((check) => ({ id: check.id, source: check.source, ...check.of(checked) }));
  return findings.sort((a, b) => checkStatuses.indexOf(a.status) - checkStatuses.indexOf(b.status));
}

export function countsOf(findings: readonly CheckFinding[]): Readonly<Record<CheckStatus, number>> {
  const counts = { problem: 0, warning: 0, advice: 0, good: 0, not_measured: 0 };
  for (const { status } of findings) counts[status]++;
  return counts;
}
