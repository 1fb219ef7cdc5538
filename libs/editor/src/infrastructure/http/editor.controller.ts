import { toResponse } from '#http/server';
import { Audited, changesNothing, CurrentPrincipal, Requires, PermissionsOf, TeamId } from '#identity';
import type { Principal } from '#identity';
import { ContentChangedError, NotFoundError } from '#kernel';
import { Describes, Operation, QueryParameter, Refuses, Responses, Takes } from '#http/openapi';
import type { DescribedRefusal } from '#http/openapi';
import { BroadcastStateError } from '#broadcasts';
import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { EditorContents } from '../../application/editor-contents.use-case.js';
import { EditorPresence } from '../../application/editor-presence.use-case.js';
import { MailPictures } from '../../application/ports/mail-pictures.port.js';
import { StylesOfTeams } from '../../application/styles-of-teams.use-case.js';
import { parseContentRef, resourceTypes } from '../../domain/content.js';
import { DocumentTooLargeError, parseDocument } from '../../domain/document/parse-document.js';
import { importHtml, importTooLarge } from '../../domain/importing/import-html.js';
import { importMjml } from '../../domain/importing/import-mjml.js';
import { parseStyles } from '../../domain/styles/team-styles.js';
import {
  decodeConnection,
  decodeContent,
  decodeImport,
  decodeRendering,
  decodeStyles,
  EditorConnectionRequest,
  EditorStylesRequest,
  ImportDocumentRequest,
  RenderDocumentRequest,
  WriteContentRequest,
} from './editor.request.js';
import {
  connectionResponse,
  contentResponse,
  EditorConnectionResponse,
  EditorContentResponse,
  EditorStylesResponse,
  EndedConnectionResponse,
  ImportedDocumentResponse,
  RenderedDocumentResponse,
  stylesResponse,
  WrittenContentResponse,
} from './editor.response.js';
import { contentId } from './example-ids.js';

const ofResource = (): readonly DescribedRefusal[] => [
  new NotFoundError('Broadcast'),
  () => parseContentRef({ resource_type: 'email', resource_id: contentId }),
  () => parseContentRef({}),
  () => parseContentRef({ resource_type: 'broadcast' }),
];
const ofDocument = (): readonly DescribedRefusal[] => [
  () => parseDocument({ type: 'doc', content: [{ type: 'marquee' }] }),
  new DocumentTooLargeError(),
];

/** Documents of broadcasts and templates (docs/editor.md). */
@Controller('editor')
@Describes(
  'Editor',
  'The contents of broadcasts and templates as documents: blocks that are rendered to html and text by the service. ' +
    'The dashboard and programs write the same documents. `GET /api/agent/prompt` describes every node.',
)
@PermissionsOf('templates')
export class EditorController {
  constructor(
    private readonly contents: EditorContents,
    private readonly presence: EditorPresence,
    private readonly styles: StylesOfTeams,
    private readonly pictures: MailPictures,
  ) {}

  @Get('content')
  @Operation('Get a document', 'The document of a broadcast or a template.')
  @QueryParameter('resource_id', 'Id of the broadcast; id or alias of the template.', { maxLength: 128 }, contentId, {
    required: true,
  })
  @QueryParameter('resource_type', 'What it belongs to.', { enum: [...resourceTypes] }, 'broadcast', { required: true })
  @Responses(EditorContentResponse, 'The document.')
  @Refuses(ofResource)
  async getEditorContent(@CurrentPrincipal() principal: Principal, @Query() query: Readonly<Record<string, unknown>>) {
    const { content, document } = await this.contents.read(principal, parseContentRef(query));
    return contentResponse(content, document);
  }

  @Post('content')
  @Operation(
    'Write a document',
    'Takes the place of the content: the document is checked, and its html and text are rendered. Html that was there is ' +
      'kept as a version. Variables that a template lacks are defined.',
  )
  @Takes(WriteContentRequest, 'The document.')
  @Responses(WrittenContentResponse, 'The document is stored.')
  @Refuses(() => [
    ...ofResource(),
    ...ofDocument(),
    new ContentChangedError(),
    new BroadcastStateError('Only draft and scheduled broadcasts can be changed.'),
  ])
  @Audited({ notBecause: 'it is written every few seconds while somebody types, and versions name who wrote' })
  async writeEditorContent(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { ref, content, base } = decodeContent(body);
    const written = await this.contents.write(principal, ref, content, base);
    return toResponse(WrittenContentResponse, {
      object: written.ref.type,
      id: written.ref.id,
      revision: written.revision,
      notes: [...written.notes],
    });
  }

  @Post('connections')
  @Operation(
    'Connect to the editor',
    'Shows everybody who has the content open that somebody is there. It is called again to stay, and to tell ' +
      'where the caret is. All may write at once: who wrote on an older revision reads again and merges.',
  )
  @Takes(EditorConnectionRequest, 'Who comes.')
  @Responses(EditorConnectionResponse, 'Who is there.')
  @Refuses(ofResource)
  @Requires('templates:read')
  @Audited(changesNothing)
  async connectToEditor(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { ref, ...request } = decodeConnection(body);
    return connectionResponse(await this.presence.arrive(principal, ref, request), principal.actor);
  }

  @Delete('connections')
  @Operation('Disconnect from the editor', 'Ends a connection before it ends by itself.')
  @Takes(EditorConnectionRequest, 'Who leaves.')
  @Responses(EndedConnectionResponse, 'There is no such connection any more.')
  @Refuses(ofResource)
  @Requires('templates:read')
  @Audited(changesNothing)
  async disconnectFromEditor(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    const { ref, ...request } = decodeConnection(body);
    await this.presence.leave(principal, ref, request);
    return toResponse(EndedConnectionResponse, { ok: true });
  }

  @Post('render')
  @Operation(
    'Render a document',
    'Html and text of a document that is not stored, in the styles of the team or in others, and MJML if it is asked for.',
  )
  @Takes(RenderDocumentRequest, 'The document.')
  @Responses(RenderedDocumentResponse, 'What was rendered.')
  @Refuses(() => [...ofDocument(), () => parseStyles({ link: 'blurple' })])
  @Requires('templates:read')
  @Audited(changesNothing)
  async renderDocument(@TeamId() teamId: string, @Body() body: unknown): Promise<RenderedDocumentResponse> {
    const { content, ...options } = decodeRendering(body);
    const { html, text, mjml, document, notes } = await this.contents.preview(teamId, content, options);
    const written = mjml === undefined ? { html, text } : { html, text, mjml };
    return { object: 'rendered_document', ...written, content: document, notes: [...notes] };
  }

  @Post('import')
  @Operation(
    'Import html or MJML',
    'Makes a document of html or MJML: headings, text, lists, images, buttons, tables and columns become blocks in the ' +
      'styles of the team, and what no block can do is kept as html. Nothing is stored.',
  )
  @Takes(ImportDocumentRequest, 'The html or the MJML.')
  @Responses(ImportedDocumentResponse, 'The document.')
  @Refuses(() => [
    () => importHtml(''),
    () => importMjml(''),
    importTooLarge('html'),
    () => decodeImport({}),
    () => decodeImport({ html: 5 }),
    () => decodeImport({ html: '<p>Hi</p>', mjml: '<mjml></mjml>' }),
  ])
  @Requires('templates:read')
  @Audited(changesNothing)
  async importHtml(@TeamId() teamId: string, @Body() body: unknown): Promise<ImportedDocumentResponse> {
    const { format, text } = decodeImport(body);
    const { document, notes } = await this.contents.import(teamId, format, text);
    return { object: 'imported_document', content: document, notes: [...notes] };
  }

  @Get('styles')
  @Operation('Get the styles', 'How the emails of your team look.')
  @Responses(EditorStylesResponse, 'The styles.')
  async getEditorStyles(@TeamId() teamId: string) {
    return stylesResponse(await this.styles.find(teamId), this.pictures.illustrationsUrl);
  }

  @Put('styles')
  @Operation(
    'Set the styles',
    'Replaces all styles. Documents that were composed before take them when they are written again.',
  )
  @Takes(EditorStylesRequest, 'The styles.')
  @Responses(EditorStylesResponse, 'The styles.')
  @Refuses(() => [() => parseStyles({ link: 'blurple' })])
  async updateEditorStyles(@CurrentPrincipal() principal: Principal, @Body() body: unknown) {
    return stylesResponse(await this.styles.save(principal, decodeStyles(body)), this.pictures.illustrationsUrl);
  }
}
