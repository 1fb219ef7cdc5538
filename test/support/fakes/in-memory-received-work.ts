import { WorkPlaces } from '#kernel';
import { DueWork, ReceivedWork } from '../../../libs/inbound/src/application/ports/received-work.port.js';

interface WorkRow {
  readonly teamId: string;
  readonly isAnnounced: boolean;
  dueAt: Date;
  failures: number;
  reason?: string;
}

export class InMemoryReceivedWork extends ReceivedWork {
  readonly rows = new Map<string, WorkRow>();

  add(emailId: string, teamId: string, dueAt: Date): void {
    this.rows.set(emailId, { teamId, dueAt, failures: 0, isAnnounced: true });
  }

  async take(now: Date, leaseUntil: Date, { limit, maxPerTeam, held }: WorkPlaces): Promise<readonly DueWork[]> {
    const ofTeams = new Map(held);
    const due = [...this.rows].filter(([, { dueAt, teamId }]) => {
      const ofTeam = ofTeams.get(teamId) ?? 0;
      if (dueAt > now || ofTeam >= maxPerTeam) return false;
      ofTeams.set(teamId, ofTeam + 1);
      return true;
    });
    return due.slice(0, limit).map(([emailId, row]) => {
      row.dueAt = leaseUntil;
      return { emailId, teamId: row.teamId, failures: row.failures, isAnnounced: row.isAnnounced };
    });
  }

  async renew(emailId: string, dueAt: Date): Promise<void> {
    Object.assign(this.rows.get(emailId) ?? {}, { dueAt });
  }

  async done(emailId: string): Promise<void> {
    this.rows.delete(emailId);
  }

  async later(emailId: string, dueAt: Date, reason: string): Promise<void> {
    Object.assign(this.rows.get(emailId) ?? {}, { dueAt, reason });
  }

  async failed(emailId: string, dueAt: Date, reason: string): Promise<void> {
    await this.later(emailId, dueAt, reason);
    const row = this.rows.get(emailId);
    if (row !== undefined) row.failures++;
  }
}
