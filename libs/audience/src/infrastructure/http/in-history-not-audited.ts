import type { AuditSettings } from '#identity';

/** For the changes of single contacts. The audit log would keep the values that are erased from their history. */
export const recordsItsChanges: AuditSettings = {
  notBecause: 'the history of the contact names who changed it, and there are far more contacts than settings',
};
