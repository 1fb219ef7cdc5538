import type { DashboardWorld } from '../support/builders/dashboard-world.js';

/** What the pictures are taken of: an installation with mail in it, and one without. */
export interface Stage {
  readonly full: DashboardWorld;
  readonly empty: DashboardWorld;
  readonly ids: Readonly<Record<string, string>>;
}
