import { beforeEach, expect, it } from '@jest/globals';
import { Page } from '#kernel';
import { AuditEntry } from '../domain/audit-entry.js';
import { AuditTrail } from './audit-trail.js';
import { AuditLog, BegunChange, ChangeOutcome } from './ports/audit-log.port.js';

class RecordedLog extends AuditLog {
  readonly entries = new Map<string, BegunChange & Partial<ChangeOutcome>>();
  isAway = false;

  async begin(change: BegunChange): Promise<void> {
    if (this.isAway) throw new Error('away');
    this.entries.set(change.id, change);
  }

  async finish(id: string, outcome: ChangeOutcome): Promise<void> {
    if (this.isAway) throw new Error('away');
    const begun = this.entries.get(id);
    if (begun !== undefined) this.entries.set(id, { ...begun, ...outcome });
  }

  async withdraw(id: string): Promise<void> {
    this.entries.delete(id);
  }

  async ofTeam(): Promise<Page<AuditEntry>> {
    return { items: [], hasMore: false };
  }

  ofAll(): Promise<Page<AuditEntry>> {
    return this.ofTeam();
  }
}

let log: RecordedLog;
let trail: AuditTrail;

beforeEach(() => {
  log = new RecordedLog();
  trail = new AuditTrail(log);
});

const change = { teamId: 'team', action: 'domains.update', actor: { kind: 'service' }, address: null } as const;
const entry = () => [...log.entries.values()][0];

it('an entry is there before the change is made, and says what changed after it', async () => {
  const open = await trail.begin({ ...change, targetId: 'domain' });
  expect(entry()).toMatchObject({ action: 'domains.update', targetId: 'domain' });
  expect(entry()?.outcome).toBeUndefined();
  await open.done({ before: { tls: 'opportunistic', name: 'a' }, after: { tls: 'enforced', name: 'a' } });
  expect(entry()).toMatchObject({ outcome: 'done', targetId: 'domain' });
  expect(entry()?.after).toMatchObject({ tls: 'enforced' });
});

it('no change is made without an entry', async () => {
  log.isAway = true;
  await expect(trail.begin(change)).rejects.toThrow('away');
});

it('a refused change leaves no entry, and a failed one says so', async () => {
  await (await trail.begin(change)).refused();
  expect(entry()).toBeUndefined();
  await (await trail.begin(change)).failed();
  expect(entry()).toMatchObject({ outcome: 'failed', before: null, after: null });
});

it('a change that was made is not refused because its entry cannot be finished', async () => {
  const open = await trail.begin(change);
  log.isAway = true;
  await open.done({ after: { name: 'b' } });
  expect(entry()?.outcome).toBeUndefined();
});
