import { SiteProfiles } from './site-profiles.js';
import { noSources } from './source-hosts.js';
import type { SourceTable } from './source-hosts.js';

/** The rules that the operator may change while the program runs. */
export interface MxRules {
  readonly sources: SourceTable;
  readonly profiles: SiteProfiles;
}

export const shippedRules: MxRules = { sources: noSources, profiles: new SiteProfiles() };
