import type { AuditSettings } from '#identity';

/** Changes of single contacts stay out of the audit log, which would keep values that were erased from their history. */
export const inHistoryNotAudited: AuditSettings = {
  notBecause: 'the history of the contact names who changed it, and there are far more contacts than settings',
};
