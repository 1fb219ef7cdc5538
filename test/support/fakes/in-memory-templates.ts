import { Page, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import { PublishedTemplate, PublishedTemplates } from '#templates';
import {
  maxKeptVersions,
  TemplateRepository,
} from '../../../libs/templates/src/application/ports/template-repository.port.js';
import {
  CurrentTemplate,
  KeptVersion,
  Template,
  TemplateVersion,
} from '../../../libs/templates/src/domain/template.js';

/** The templates of one process. */
export class InMemoryTemplateRepository extends TemplateRepository {
  private readonly templates = new InMemoryRows<Template>();
  private readonly ofTemplate = new InMemoryRows<TemplateVersion>();

  async find(teamId: string, idOrAlias: string): Promise<CurrentTemplate | undefined> {
    const [template] = this.templates.where(
      (row) => row.teamId === teamId && (row.id === idOrAlias || row.alias === idOrAlias),
    );
    if (template === undefined) return undefined;
    return { template, version: this.ofTemplate.get(template.currentVersionId) as TemplateVersion };
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Template>> {
    return this.templates.page(page, (row) => row.teamId === teamId);
  }

  async versions(teamId: string, templateId: string): Promise<readonly KeptVersion[]> {
    return this.published(teamId, templateId).map(({ id, createdAt, publishedAt }) => ({ id, createdAt, publishedAt }));
  }

  async version(teamId: string, templateId: string, versionId: string): Promise<TemplateVersion | undefined> {
    const version = this.ofTemplate.get(versionId);
    return version?.templateId === templateId && this.templates.get(templateId)?.teamId === teamId
      ? version
      : undefined;
  }

  lock(teamId: string, idOrAlias: string): Promise<CurrentTemplate | undefined> {
    return this.find(teamId, idOrAlias);
  }

  async idOfAlias(teamId: string, alias: string): Promise<string | undefined> {
    return this.templates.where((row) => row.teamId === teamId && row.alias === alias)[0]?.id;
  }

  async save({ template, version }: CurrentTemplate, transaction: Transaction): Promise<void> {
    this.templates.set(template, transaction);
    if (this.ofTemplate.get(version.id)?.publishedAt == null) this.ofTemplate.set(version, transaction);
    for (const old of this.published(template.teamId, template.id).slice(maxKeptVersions)) {
      this.ofTemplate.delete(old.id, transaction);
    }
  }

  async remove(teamId: string, idOrAlias: string): Promise<string | undefined> {
    const id = (await this.find(teamId, idOrAlias))?.template.id;
    if (id !== undefined) this.templates.delete(id);
    return id;
  }

  private published(teamId: string, templateId: string): (TemplateVersion & { publishedAt: Date })[] {
    if (this.templates.get(templateId)?.teamId !== teamId) return [];
    return this.ofTemplate
      .where((row) => row.templateId === templateId)
      .filter((row): row is TemplateVersion & { publishedAt: Date } => row.publishedAt !== null)
      .reverse();
  }
}

/** Published templates that a test sets, by id or alias. */
export class InMemoryPublishedTemplates extends PublishedTemplates {
  readonly byName = new Map<string, PublishedTemplate | 'draft'>();

  async find(teamId: string, idOrAlias: string): Promise<PublishedTemplate | 'draft' | undefined> {
    const template = this.byName.get(idOrAlias);
    return template === undefined || template === 'draft' || template.teamId === teamId ? template : undefined;
  }
}
