import { Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AuditEntry } from '../domain/audit-entry.js';
import { AuditLog } from './ports/audit-log.port.js';

@Injectable()
export class ListAudit {
  constructor(private readonly log: AuditLog) {}

  ofTeam(teamId: string, page: PageRequest): Promise<Page<AuditEntry>> {
    return this.log.list(teamId, page);
  }

  /** For the operator. */
  ofAll(page: PageRequest): Promise<Page<AuditEntry>> {
    return this.log.list(undefined, page);
  }
}
