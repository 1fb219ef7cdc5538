import { found, MergeTemplate, Page, PageRequest, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { requiredKeys, valuesAndGaps } from '../domain/published-template.js';
import { maxSubjectLength } from '../domain/template-content.js';
import {
  CurrentTemplate,
  KeptVersion,
  maxPreviewBytes,
  Template,
  TemplatePreview,
  TemplateVersion,
} from '../domain/template.js';
import { TemplateRepository } from './ports/template-repository.port.js';

/** Lists and reads the templates of a team, and shows what an email of one would be. */
@Injectable()
export class ReadTemplates {
  constructor(private readonly templates: TemplateRepository) {}

  list(teamId: string, page: PageRequest): Promise<Page<Template>> {
    return this.templates.list(teamId, page);
  }

  async find(teamId: string, idOrAlias: string): Promise<CurrentTemplate> {
    return found('Template', await this.templates.find(teamId, idOrAlias));
  }

  /** The published versions that are kept, newest first. */
  async versions(
    teamId: string,
    idOrAlias: string,
  ): Promise<{ readonly template: Template; readonly versions: readonly KeptVersion[] }> {
    const { template } = await this.find(teamId, idOrAlias);
    return { template, versions: await this.templates.versions(teamId, template.id) };
  }

  /**
   * Renders the version that was written last, or a kept one by its id. Missing values are listed instead of refused,
   * so that a template can be looked at while it is written.
   */
  async preview(
    teamId: string,
    idOrAlias: string,
    given: Readonly<Record<string, unknown>>,
    versionId?: string,
  ): Promise<TemplatePreview> {
    const current = await this.find(teamId, idOrAlias);
    const version = versionId === undefined ? current.version : await this.versionOf(teamId, current, versionId);
    const { values, missing } = valuesAndGaps({ ...version, required: requiredKeys(version) }, given);
    const [html, text] = [new MergeTemplate(version.html, 'html'), new MergeTemplate(version.text ?? '', 'text')];
    if (html.renderedBytes(values) + text.renderedBytes(values) > maxPreviewBytes) {
      throw new ValidationError(`The preview has more than ${maxPreviewBytes} bytes.`);
    }
    return {
      version,
      templateId: current.template.id,
      subject:
        version.subject === null ? null : new MergeTemplate(version.subject, 'line').render(values, maxSubjectLength),
      html: html.render(values),
      text: version.text === null ? null : text.render(values),
      missing,
    };
  }

  private async versionOf(teamId: string, current: CurrentTemplate, versionId: string): Promise<TemplateVersion> {
    if (current.version.id === versionId) return current.version;
    return found('Template version', await this.templates.version(teamId, current.template.id, versionId));
  }
}
