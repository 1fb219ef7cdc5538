import { Audited, changesNothing, CurrentPrincipal, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { NotFoundError, parsePageRequest } from '#kernel';
import { listResponse } from '#http/server';
import {
  Describes,
  Operation,
  PathParameter,
  Refuses,
  Responses,
  ResponsesAll,
  ResponsesList,
  Takes,
} from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { maxContentBytes, parseAlias, requireReadSections } from '../../domain/template-content.js';
import { AliasTakenError, TemplateTooLargeError, UndefinedVariableError } from '../../domain/template-errors.js';
import { checkedValue, parseVariables } from '../../domain/template-variable.js';
import { maxKeptVersions } from '../../application/ports/template-repository.port.js';
import { ReadTemplates } from '../../application/read-templates.query.js';
import { WriteTemplates } from '../../application/write-templates.use-case.js';
import {
  CreateTemplateRequest,
  decodeNewTemplate,
  decodePreview,
  decodeTemplateChanges,
  PreviewTemplateRequest,
  UpdateTemplateRequest,
} from './template.request.js';
import {
  copyId,
  previewResponse,
  RemovedTemplateResponse,
  TemplateIdResponse,
  TemplatePreviewResponse,
  templateResponse,
  TemplateResponse,
  templateSummary,
  TemplateSummaryResponse,
  TemplateVersionResponse,
  versionResponse,
} from './template.response.js';

const contentErrors = (): readonly DescribedRefusal[] => [
  () => parseAlias('a b'),
  new AliasTakenError('order-shipped'),
  new UndefinedVariableError('ORDER'),
  () => parseVariables([{ key: 'EMAIL', type: 'string' }], [], new Date(0)),
  new TemplateTooLargeError(maxContentBytes),
];

/** Stored contents of emails (docs/wire-contract.md section 16). */
@Controller('templates')
@Describes(
  'Templates',
  'Stored contents of emails, with variables. A template is written as a draft; emails are sent with ' +
    'the version that was published last, by its id or alias in `template` of a send request.',
)
@PathParameter('idOrAlias', 'Id of the template, or its alias.', {}, 'order-shipped', 'Template')
@PermissionsOf('templates')
export class TemplatesController {
  constructor(
    private readonly writeTemplates: WriteTemplates,
    private readonly readTemplates: ReadTemplates,
  ) {}

  @Post()
  @Operation(
    'Create a template',
    'Creates a draft. Every merge tag in `subject`, `html` and `text` needs a variable of its name, or ' +
      'one of the names that the service fills in itself.',
  )
  @Takes(CreateTemplateRequest, 'The template.')
  @Responses(TemplateIdResponse, 'The draft has been created.', { status: 201 })
  @Refuses(contentErrors)
  async createTemplate(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return reference(await this.writeTemplates.create(principal, decodeNewTemplate(body)));
  }

  @Get()
  @Operation('List templates', 'The templates of your team without their contents, newest first, in pages.')
  @ResponsesList(TemplateSummaryResponse, 'A page of templates.')
  async listTemplates(@TeamId() teamId: string, @Query() query: object) {
    return listResponse(await this.readTemplates.list(teamId, parsePageRequest(query)), templateSummary);
  }

  @Get(':idOrAlias')
  @Operation('Get a template', 'A template with the content that was written last, published or not.')
  @Responses(TemplateResponse, 'The template.')
  async getTemplate(@TeamId() teamId: string, @Param('idOrAlias') idOrAlias: string) {
    return templateResponse(await this.readTemplates.find(teamId, idOrAlias));
  }

  @Patch(':idOrAlias')
  @Operation(
    'Change a template',
    'Changes the draft; if there is none, a draft begins with the published content. Emails are sent ' +
      'with the published version until the draft is published. `name` and `alias` change at once. ' +
      '`variables` replaces the whole list.',
  )
  @Takes(UpdateTemplateRequest, 'The fields to change.')
  @Responses(TemplateIdResponse, 'The draft has been changed.')
  @Refuses(() => [...contentErrors()])
  async updateTemplate(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrAlias') idOrAlias: string,
    @Body() body: unknown,
  ) {
    return reference(await this.writeTemplates.change(principal, idOrAlias, decodeTemplateChanges(body)));
  }

  @Delete(':idOrAlias')
  @Operation(
    'Remove a template',
    'Removes a template with all of its versions. Emails that were accepted with it are sent nevertheless.',
  )
  @Responses(RemovedTemplateResponse, 'The template is removed.')
  async removeTemplate(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrAlias') idOrAlias: string,
  ): Promise<RemovedTemplateResponse> {
    return { ...reference(await this.writeTemplates.remove(principal, idOrAlias)), deleted: true };
  }

  @Post(':idOrAlias/publish')
  @Operation(
    'Publish a template',
    'Emails are sent with the draft from now on. The published version never changes again. An email that ' +
      'was accepted before keeps the version with which it was accepted. Without a draft nothing changes.',
  )
  @Responses(TemplateIdResponse, 'The draft is published.')
  @Refuses(() => [() => requireReadSections({ html: '{{#if not PLAN}}Hi{{/if}}', text: null, subject: null })])
  async publishTemplate(@CurrentPrincipal() principal: Principal, @Param('idOrAlias') idOrAlias: string) {
    return reference(await this.writeTemplates.publish(principal, idOrAlias));
  }

  @Post(':idOrAlias/duplicate')
  @Operation(
    'Duplicate a template',
    'Creates a draft with the content that was written last. Its name ends in ` (Copy)`, and it has no alias.',
  )
  @Responses(TemplateIdResponse, 'The copy.', { example: { id: copyId } })
  async duplicateTemplate(@CurrentPrincipal() principal: Principal, @Param('idOrAlias') idOrAlias: string) {
    return reference(await this.writeTemplates.duplicate(principal, idOrAlias));
  }

  @Get(':idOrAlias/versions')
  @Operation(
    'List the versions of a template',
    `The last ${maxKeptVersions} published versions, newest first. An addition of Postrider.`,
  )
  @ResponsesAll(TemplateVersionResponse, 'The versions.')
  async listTemplateVersions(@TeamId() teamId: string, @Param('idOrAlias') idOrAlias: string) {
    const { template, versions } = await this.readTemplates.versions(teamId, idOrAlias);
    return listResponse({ items: versions, hasMore: false }, (version) => versionResponse(version, template));
  }

  @Post(':idOrAlias/preview')
  @Operation(
    'Preview a template',
    'Renders the content that was written last, or one of the versions, with the values given. Sends ' +
      'nothing. An addition of Postrider.',
  )
  @Takes(PreviewTemplateRequest, 'The values.', { required: false })
  @Responses(TemplatePreviewResponse, 'The rendered template.')
  @Refuses(() => [
    new NotFoundError('Template version'),
    () => decodePreview({ version_id: 'x' }),
    () => checkedValue('ORDER', 'number', 'many'),
  ])
  @Audited(changesNothing)
  @Requires('templates:read')
  async previewTemplate(@TeamId() teamId: string, @Param('idOrAlias') idOrAlias: string, @Body() body: unknown) {
    const { variables, versionId } = decodePreview(body);
    return previewResponse(await this.readTemplates.preview(teamId, idOrAlias, variables, versionId));
  }
}

function reference(id: string): TemplateIdResponse {
  return { object: 'template', id };
}
