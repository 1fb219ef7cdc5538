import { Principal } from '#identity';
import {
  Clock,
  ComposedContent,
  composedOrigin,
  ContentOrigin,
  found,
  newId,
  noContentOrigin,
  originAfter,
  Transaction,
  UnitOfWork,
} from '#kernel';
import { Injectable } from '@nestjs/common';
import {
  changedContent,
  requireReadSections,
  composedContent,
  nameOfCopy,
  parseAlias,
  parseName,
  RequestedTemplate,
} from '../domain/template-content.js';
import { AliasTakenError } from '../domain/template-errors.js';
import { CurrentTemplate, Template, TemplateContent, TemplateVersion } from '../domain/template.js';
import { TemplateRepository } from './ports/template-repository.port.js';

/** Creates, changes, publishes, duplicates and removes templates. */
@Injectable()
export class WriteTemplates {
  constructor(
    private readonly templates: TemplateRepository,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Creates a draft. Returns its id. */
  async create(principal: Principal, requested: RequestedTemplate): Promise<string> {
    principal.require('templates:write');
    const now = this.clock.now();
    const name = parseName(requested.name);
    const alias = requested.alias === undefined ? null : parseAlias(requested.alias);
    const content = { ...changedContent(requested, undefined, now), ...noContentOrigin };
    const draft = newDraft(principal, { name, alias }, content, now);
    return this.work.run(async (transaction) => {
      await this.requireFreeAlias(draft.template, transaction);
      await this.templates.save(draft, transaction);
      return draft.template.id;
    });
  }

  /**
   * Changes the draft, or begins one with the content that is published. Nothing that is sent changes until it is
   * published; name and alias change at once.
   */
  async change(principal: Principal, idOrAlias: string, requested: RequestedTemplate): Promise<string> {
    return this.changeLocked(principal, idOrAlias, async ({ template, version }, transaction) => {
      const now = this.clock.now();
      const name = requested.name === undefined ? template.name : parseName(requested.name);
      const alias = requested.alias === undefined ? template.alias : parseAlias(requested.alias);
      const written = changedContent(requested, version, now);
      const content = { ...written, ...originAfter(version, written) };
      const next = hasContent(requested) ? nextDraft(version, content, principal, now) : version;
      const changed = { ...template, name, alias, currentVersionId: next.id, updatedAt: now };
      if (alias !== template.alias) await this.requireFreeAlias(changed, transaction);
      return { template: changed, version: next };
    });
  }

  /**
   * Sets the content to a document and what was rendered from it, in the draft. Throws ContentChangedError if `base` is not the revision
   * that is there. Returns the id and the new revision.
   */
  async compose(
    principal: Principal,
    idOrAlias: string,
    composed: ComposedContent,
    base: number | undefined,
  ): Promise<{ readonly id: string; readonly revision: number }> {
    let revision = 0;
    const id = await this.changeLocked(principal, idOrAlias, async ({ template, version }) => {
      const now = this.clock.now();
      const origin = composedOrigin(version, composed, base);
      const content = { ...composedContent(version, composed.html, composed.text, now), ...origin };
      const next = nextDraft(version, content, principal, now);
      revision = origin.contentRevision;
      return { template: { ...template, currentVersionId: next.id, updatedAt: now }, version: next };
    });
    return { id, revision };
  }

  /** Emails are sent with the draft from now on. Without a draft nothing changes. */
  async publish(principal: Principal, idOrAlias: string): Promise<string> {
    return this.changeLocked(principal, idOrAlias, async ({ template, version }) => {
      if (version.publishedAt !== null) return undefined;
      requireReadSections(version);
      const publishedAt = this.clock.now();
      return {
        template: { ...template, publishedVersionId: version.id, publishedAt, updatedAt: publishedAt },
        version: { ...version, publishedAt, actor: principal.actor },
      };
    });
  }

  /** Creates a draft with the content that was written last, without the alias. Returns its id. */
  async duplicate(principal: Principal, idOrAlias: string): Promise<string> {
    principal.require('templates:write');
    const { template, version } = found('Template', await this.templates.find(principal.teamId, idOrAlias));
    const now = this.clock.now();
    const variables = version.variables.map((one) => ({
      ...one,
      id: newId(now.getTime()),
      createdAt: now,
      updatedAt: now,
    }));
    const copy = newDraft(principal, { name: nameOfCopy(template.name), alias: null }, { ...version, variables }, now);
    await this.work.run((transaction) => this.templates.save(copy, transaction));
    return copy.template.id;
  }

  /** Emails that were accepted with the template are sent nevertheless. */
  async remove(principal: Principal, idOrAlias: string): Promise<string> {
    principal.require('templates:write');
    return found('Template', await this.templates.remove(principal.teamId, idOrAlias));
  }

  private async changeLocked(
    principal: Principal,
    idOrAlias: string,
    change: (current: CurrentTemplate, transaction: Transaction) => Promise<CurrentTemplate | undefined>,
  ): Promise<string> {
    principal.require('templates:write');
    return this.work.run(async (transaction) => {
      const current = found('Template', await this.templates.lock(principal.teamId, idOrAlias, transaction));
      const changed = await change(current, transaction);
      if (changed !== undefined) await this.templates.save(changed, transaction);
      return current.template.id;
    });
  }

  private async requireFreeAlias({ id, teamId, alias }: Template, transaction: Transaction): Promise<void> {
    if (alias === null) return;
    const holder = await this.templates.idOfAlias(teamId, alias, transaction);
    if (holder !== undefined && holder !== id) throw new AliasTakenError(alias);
  }
}

function newDraft(
  { teamId, actor }: Principal,
  { name, alias }: Pick<Template, 'name' | 'alias'>,
  content: TemplateContent & ContentOrigin,
  now: Date,
): CurrentTemplate {
  const id = newId(now.getTime());
  const version = { ...content, id: newId(now.getTime()), templateId: id, createdAt: now, publishedAt: null, actor };
  const template = {
    id,
    teamId,
    name,
    alias,
    currentVersionId: version.id,
    publishedVersionId: null,
    publishedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return { template, version };
}

/** A draft is changed in place. A published version gets a successor. */
function nextDraft(
  before: TemplateVersion,
  content: TemplateContent & ContentOrigin,
  { actor }: Principal,
  now: Date,
): TemplateVersion {
  if (before.publishedAt === null) return { ...before, ...content, actor };
  const id = newId(now.getTime());
  return { ...content, id, templateId: before.templateId, createdAt: now, publishedAt: null, actor };
}

function hasContent({ name: _name, alias: _alias, ...content }: RequestedTemplate): boolean {
  return Object.values(content).some((field) => field !== undefined);
}
