import { Page, PageRequest, Transaction } from '#kernel';
import { PublishedTemplate } from '../../domain/published-template.js';
import { CurrentTemplate, KeptVersion, Template, TemplateVersion } from '../../domain/template.js';

/** Stores the templates of all teams. `idOrAlias` is an id if it is a UUID, and otherwise an alias. */
export abstract class TemplateRepository {
  abstract find(teamId: string, idOrAlias: string): Promise<CurrentTemplate | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Template>>;

  /** The published versions that are kept, newest first, without their contents. Empty for an unknown template. */
  abstract versions(teamId: string, templateId: string): Promise<readonly KeptVersion[]>;

  /** One version of a template, published or not. */
  abstract version(teamId: string, templateId: string, versionId: string): Promise<TemplateVersion | undefined>;

  /** Reads a template and locks it until the transaction ends. */
  abstract lock(teamId: string, idOrAlias: string, transaction: Transaction): Promise<CurrentTemplate | undefined>;

  /**
   * The id of the team's template with this alias. No other transaction of the team can take the alias before this one
   * ends.
   */
  abstract idOfAlias(teamId: string, alias: string, transaction: Transaction): Promise<string | undefined>;

  /**
   * Writes a new or a locked template and its current version. Keeps the newest `maxKeptVersions` published versions. Never
   * changes a published version except for the moment in which it is published.
   */
  abstract save(current: CurrentTemplate, transaction: Transaction): Promise<void>;

  /** Removes a template with all of its versions. Returns its id; undefined if it is not there. */
  abstract remove(teamId: string, idOrAlias: string): Promise<string | undefined>;
}

export const maxKeptVersions = 50;

/** The templates as emails are made of them. */
export abstract class PublishedTemplates {
  /**
   * The version with which emails are sent at this moment: one that was published before the call is seen. Returns
   * undefined if the team has no such template, `draft` if it has none published. Calls that are made together share
   * one read, and contents are kept in memory within fixed limits, since a published version never changes.
   */
  abstract find(teamId: string, idOrAlias: string): Promise<PublishedTemplate | 'draft' | undefined>;
}
