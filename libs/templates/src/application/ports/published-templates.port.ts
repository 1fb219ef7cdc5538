import { PublishedTemplate } from '../../domain/published-template.js';

/** The templates as emails are made of them. */
export abstract class PublishedTemplates {
  /**
   * The version with which emails are sent at this moment: one that was published before the call is seen. Returns
   * undefined if the team has no such template, `draft` if it has none published. Calls that are made together share
   * one read, and contents are kept in memory within fixed limits, since a published version never changes.
   */
  abstract find(teamId: string, idOrAlias: string): Promise<PublishedTemplate | 'draft' | undefined>;
}
