import type { AuditSettings } from '#identity';

export const recordsItsActor: AuditSettings = {
  notBecause: 'each email names who sent it, and there are far more emails than changes',
};
