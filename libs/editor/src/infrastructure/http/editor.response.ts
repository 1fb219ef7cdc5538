import type { Actor } from '#identity';
import { toResponse } from '#http/server';
import {
  Always,
  Field,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  OneOf,
  OptionalText,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
  Whole,
} from '#http/openapi';
import { ComposableContent } from '../../application/composable-contents.js';
import { Room } from '../../application/editor-presence.use-case.js';
import { StylesOfTeam } from '../../application/styles-of-teams.use-case.js';
import { ContentVersion, Presence, resourceTypes, VersionSummary } from '../../domain/content.js';
import { EmailDocument } from '../../domain/document/document-node.js';
import { cursorSchema } from './editor.request.js';
import { contentId, exampleDocument, keyId, tabId, versionId } from './example-ids.js';

const anyObject = { type: 'object', additionalProperties: true };
const sources = ['editor', 'html'] as const;

@Shape('The document of a broadcast or a template.')
export class EditorContentResponse {
  @OneOf(resourceTypes, 'What it belongs to.', 'broadcast') object!: 'broadcast' | 'template';
  @Id('Id of the broadcast or the template.', contentId) id!: string;
  @Text('Its name.', 'November news') name!: string;
  @Field('The document in TipTap JSON. It is empty if none was ever written.', anyObject, exampleDocument)
  content!: object;
  @OneOf(
    sources,
    'What the html is made of: `editor`, this document; `html`, it was written since, and the document is older.',
    'editor',
  )
  content_source!: (typeof sources)[number];
  @Whole('Grows with every change. For `base_revision`.', 4) revision!: number;
  @Flag('Whether it may still be changed: drafts and scheduled broadcasts, and templates.', true) editable!: boolean;
}

@Shape('The content that was written.')
export class WrittenContentResponse {
  @OneOf(resourceTypes, 'What it belongs to.', 'broadcast') object!: 'broadcast' | 'template';
  @Id('Id of the broadcast or the template.', contentId) id!: string;
  @Whole('The new revision.', 5) revision!: number;
  @Texts('What was left out of the document, as sentences.', []) notes!: string[];
}

@Shape('Somebody who has the content open.')
export class EditorPresenceResponse {
  @Text('Name, as it was given; empty if there is none.', 'Ada') name!: string;
  @OneOf(['person', 'agent'], 'A person in a tab, or a program.', 'person') kind!: 'person' | 'agent';
  @Flag('Whether it is a tab that may write.', true) is_writing!: boolean;
  @Flag('Whether it is the caller.', false) is_self!: boolean;
  @Text('Name of the connection in the room.', tabId) client_id!: string;
  @Field('Where its caret is; null if it did not say.', { ...cursorSchema, nullable: true }, { anchor: 12, head: 17 })
  cursor!: { anchor: number; head: number } | null;
  @Moment('When it was last heard of.') seen_at!: string;
}

@Shape(
  'A connection to the editor. It ends by itself: 30 seconds after the last call of a tab, five minutes after that of a program.',
)
export class EditorConnectionResponse {
  @IdOrNull('Id of the API key; null for a person.', keyId) apiKeyId!: string | null;
  @Text('Name of the room.', `broadcast:${contentId}`) room_id!: string;
  @Text('Name of the caller in it.', tabId) client_id!: string;
  @Flag('Whether the caller is a tab that may write.', true) is_writing!: boolean;
  @Whole('Revision of the content: another one than was read means that somebody wrote.', 12) revision!: number;
  @ListOf(EditorPresenceResponse, 'Everybody who has the content open.', [
    {
      name: 'Ada',
      kind: 'person',
      is_writing: true,
      is_self: true,
      client_id: tabId,
      cursor: { anchor: 12, head: 17 },
      seen_at: '2026-11-30 20:39:59.54+00',
    },
  ])
  present!: EditorPresenceResponse[];
}

@Shape('The connection has ended.')
export class EndedConnectionResponse {
  @Always(true) ok!: true;
}

@Shape('A content as it once was.')
export class ContentVersionSummaryResponse {
  @Id('Id of the version.', versionId) id!: string;
  @TextOrNull('Its name; null for one that was made while somebody wrote.', 'Before the review') name!: string | null;
  @OneOf(sources, 'Whether it is a document or html.', 'editor') content_source!: (typeof sources)[number];
  @OneOf(['api_key', 'user', 'service'], 'Who wrote it.', 'user') author_kind!: Actor['kind'];
  @IdOrNull('Id of the API key or the user.', keyId) author_id!: string | null;
  @Moment('When it was begun.') created_at!: string;
  @Moment('When it was last added to.', '2026-11-30 20:41:12.3+00') updated_at!: string;
}

@Shape('A version with its content.')
export class ContentVersionResponse extends ContentVersionSummaryResponse {
  @Always('content_version') object!: 'content_version';
  @OneOf(resourceTypes, 'What it belongs to.', 'broadcast') resource_type!: 'broadcast' | 'template';
  @Id('Id of the broadcast or the template.', contentId) resource_id!: string;
  @Field('The document; null for html.', { ...anyObject, nullable: true }, exampleDocument) content!: object | null;
  @TextOrNull('The html; null for a document.', null) html!: string | null;
}

@Shape('The version that was written.')
export class ContentVersionReferenceResponse extends ReferenceTo('content_version', 'Id of the version.', versionId) {}

@Shape('A rendered document.')
export class RenderedDocumentResponse {
  @Always('rendered_document') object!: 'rendered_document';
  @Text('The html, with its merge tags.', '<!doctype html><html>…</html>') html!: string;
  @Text('The plain text, with its merge tags.', 'Winter news\n===========\n') text!: string;
  @OptionalText('The document as MJML, if the `format` is `mjml`.', '<mjml lang="en">…</mjml>') mjml?: string;
  @Field('The document as it would be stored.', anyObject, exampleDocument) content!: object;
  @Texts('What was left out of it, as sentences.', []) notes!: string[];
}

@Shape('A document that was made of html or MJML.')
export class ImportedDocumentResponse {
  @Always('imported_document') object!: 'imported_document';
  @Field('The document in TipTap JSON.', anyObject, exampleDocument) content!: object;
  @Texts('What was left out or is kept as html, as sentences.', []) notes!: string[];
}

@Shape('The styles of the team.')
export class EditorStylesResponse {
  @Always('editor_styles') object!: 'editor_styles';
  @Field('What the team has set.', anyObject, { button: '#0b6b4f' }) styles!: object;
  @Field('All styles, with everything that follows from it.', anyObject, { button: '#0b6b4f', buttonText: '#ffffff' })
  complete!: object;
  @Text(
    'What the addresses of the illustrations start with that the service has for documents to begin with.',
    'https://mail.example.com/editor/pictures/',
  )
  illustrations!: string;
}

export function contentResponse(
  { ref, name, origin, isEditable }: ComposableContent,
  document: EmailDocument,
): EditorContentResponse {
  return {
    object: ref.type,
    id: ref.id,
    name,
    content: document,
    content_source: origin.contentSource,
    revision: origin.contentRevision,
    editable: isEditable,
  };
}

export const connectionResponse = (room: Room, actor: Actor): EditorConnectionResponse =>
  toResponse(EditorConnectionResponse, room, {
    apiKeyId: actor.kind === 'api_key' ? actor.id : null,
    room_id: `${room.ref.type}:${room.ref.id}`,
    present: room.people.map((one) => presenceResponse(one, room.clientId)),
  });

const presenceResponse = (presence: Presence, self: string): EditorPresenceResponse =>
  toResponse(EditorPresenceResponse, presence, { is_self: presence.clientId === self });

export const versionSummary = (version: VersionSummary): ContentVersionSummaryResponse =>
  toResponse(ContentVersionSummaryResponse, version, {
    content_source: version.kind,
    author_kind: version.actor.kind,
    author_id: version.actor.kind === 'service' ? null : version.actor.id,
  });

export function versionResponse(version: ContentVersion): ContentVersionResponse {
  const { content, ref } = version;
  return {
    object: 'content_version',
    ...versionSummary({ ...version, kind: content.kind }),
    resource_type: ref.type,
    resource_id: ref.id,
    content: content.kind === 'editor' ? (JSON.parse(content.document) as object) : null,
    html: content.kind === 'html' ? content.html : null,
  };
}

export function stylesResponse({ given, complete }: StylesOfTeam, illustrations: string): EditorStylesResponse {
  return { object: 'editor_styles', styles: given, complete, illustrations };
}
