import { isUuid, MissingFieldError, storableText, ValidationError } from '#kernel';
import { Example, Field, OptionalField, Shape } from '#http/openapi';
import { jsonObject } from '#http/server';
import { ContentRef, type Cursor, maxVersionNameLength, parseContentRef, resourceTypes } from '../../domain/content.js';
import { stringOf } from '../../domain/document/attribute.js';
import { ImportFormat, importFormats, maxImportedBytes } from '../../domain/importing/import-html.js';
import { contentId, exampleDocument, tabId } from './example-ids.js';

const renderFormats = ['html', 'mjml'] as const;
const anyDocument = { type: 'object', additionalProperties: true };
/** Larger than any position in a document of 1 MB. */
const maxPosition = 10_000_000;
const position = { type: 'integer', minimum: 0, maximum: maxPosition };
export const cursorSchema = {
  type: 'object',
  properties: {
    anchor: { ...position, description: 'Where the selection begins.' },
    head: { ...position, description: 'Where the caret is: the other end of the selection.' },
  },
  required: ['anchor', 'head'],
};

@Shape('What the content belongs to.')
@Example('broadcast', 'A broadcast', { resource_type: 'broadcast', resource_id: contentId })
export class ContentReferenceRequest {
  @Field('Whether it is a broadcast or a template.', { enum: [...resourceTypes] }) resource_type!: string;
  @Field('Id of the broadcast; id or alias of the template.', { maxLength: 128 }) resource_id!: string;
}

@Shape('A document.')
@Example('broadcast', 'The content of a broadcast', {
  resource_type: 'broadcast',
  resource_id: contentId,
  content: exampleDocument,
})
export class WriteContentRequest extends ContentReferenceRequest {
  @Field('The document in TipTap JSON, as `GET /api/agent/prompt` describes it.', anyDocument) content!: object;
  @OptionalField('The `revision` that was read. If there is another one by now, the request is refused with 409.', {
    type: 'integer',
  })
  base_revision?: number;
}

@Shape('Who has the content open.')
@Example('agent', 'A program', { resource_type: 'broadcast', resource_id: contentId, agent_name: 'Writer' })
@Example('tab', 'A tab of the dashboard', {
  resource_type: 'broadcast',
  resource_id: contentId,
  client_id: tabId,
  cursor: { anchor: 12, head: 17 },
})
export class EditorConnectionRequest extends ContentReferenceRequest {
  @OptionalField('Name that people see.', { maxLength: 100 }) agent_name?: string;
  @OptionalField('Id that a tab has chosen.', { format: 'uuid' }) client_id?: string;
  @OptionalField('Where the caret of a tab is: positions in the document, as ProseMirror counts them.', cursorSchema)
  cursor?: Cursor;
}

@Shape('A version to keep.')
@Example('named', 'With a name', { resource_type: 'broadcast', resource_id: contentId, name: 'Before the review' })
export class KeepVersionRequest extends ContentReferenceRequest {
  @Field(`Its name, at most ${maxVersionNameLength} characters.`, { maxLength: maxVersionNameLength }) name!: string;
  @OptionalField('Another document than the present one, to be kept beside it.', anyDocument) content?: object;
}

@Shape('The new name. An empty one takes it away.')
@Example('name', 'A name', { name: 'Sent to legal' })
export class RenameVersionRequest {
  @Field('The name.', { maxLength: maxVersionNameLength }) name!: string;
}

@Shape('A document to look at.')
@Example('document', 'A document', { content: exampleDocument })
@Example('mjml', 'As MJML', { content: exampleDocument, format: 'mjml' })
export class RenderDocumentRequest {
  @Field('The document in TipTap JSON.', anyDocument) content!: object;
  @OptionalField('Whether it is rendered as a broadcast or as a template. Default: `template`.', {
    enum: [...resourceTypes],
  })
  resource_type?: string;
  @OptionalField('Styles to try, in place of those of the team.', anyDocument) styles?: object;
  @OptionalField('`mjml`: the response has the document as MJML too. Default: `html`.', { enum: [...renderFormats] })
  format?: string;
}

@Shape('Html or MJML to make a document of: exactly one of them.')
@Example('page', 'A page', { html: '<h1>Winter news</h1><p>The quay is <b>open</b> again.</p>' })
@Example('mjml', 'An email in MJML', {
  mjml:
    '<mjml><mj-body><mj-section><mj-column><mj-text><h1>Winter news</h1></mj-text>' +
    '<mj-button href="https://example.com">Plan a visit</mj-button></mj-column></mj-section></mj-body></mjml>',
})
export class ImportDocumentRequest {
  @OptionalField(`The html, at most ${maxImportedBytes} bytes.`) html?: string;
  @OptionalField(`The MJML, at most ${maxImportedBytes} bytes. Files that it includes are not read.`) mjml?: string;
}

@Shape('The styles of the team. What is left out is as usual.')
@Example('brand', 'A color and a font', { styles: { button: '#0b6b4f', font: 'georgia', company: 'Acme' } })
export class EditorStylesRequest {
  @Field('Colors, fonts, sizes, logo and address; `dark` has colors for the dark.', anyDocument) styles!: object;
}

type Body = Readonly<Record<string, unknown>>;

/** Empty texts and nulls count as absent. */
export function bodyOf(body: unknown): Body {
  if (body === undefined || body === null) return {};
  return Object.fromEntries(Object.entries(jsonObject(body)).filter(([, value]) => value !== null && value !== ''));
}

export function decodeContent(body: unknown): { ref: ContentRef; content: unknown; base: number | undefined } {
  const given = bodyOf(body);
  const ref = parseContentRef(given);
  if (given.content === undefined) throw new MissingFieldError('content');
  const { base_revision: base } = given;
  if (base !== undefined && !Number.isSafeInteger(base)) {
    throw new ValidationError('The `base_revision` field must be a whole number.');
  }
  return { ref, content: given.content, base: base as number | undefined };
}

export function decodeConnection(body: unknown): {
  ref: ContentRef;
  name: string | undefined;
  clientId: string | undefined;
  cursor: Cursor | undefined;
} {
  const given = bodyOf(body);
  const ref = parseContentRef(given);
  const { agent_name: name, client_id: clientId, cursor } = given;
  if (name !== undefined && typeof name !== 'string')
    throw new ValidationError('The `agent_name` field must be a string.');
  if (clientId !== undefined && (typeof clientId !== 'string' || !isUuid(clientId))) {
    throw new ValidationError('The `client_id` must be a valid UUID.');
  }
  return {
    ref,
    name: name === undefined ? undefined : storableText(name),
    clientId: clientId?.toLowerCase(),
    cursor: cursorOf(cursor),
  };
}

function cursorOf(given: unknown): Cursor | undefined {
  if (given === undefined) return undefined;
  const { anchor, head } = bodyOf(given);
  const isPosition = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maxPosition;
  if (isPosition(anchor) && isPosition(head)) return { anchor, head };
  throw new ValidationError('The `cursor` must have an `anchor` and a `head`, which are positions in the document.');
}

export function nameOf(body: unknown): string {
  const { name } = (body ?? {}) as Body;
  if (name === undefined || name === null) throw new MissingFieldError('name');
  if (typeof name !== 'string') throw new ValidationError('The `name` field must be a string.');
  return name;
}

export function decodeRendering(body: unknown): {
  content: unknown;
  kind: ContentRef['type'];
  styles: unknown;
  hasMjml: boolean;
} {
  const { content, resource_type: type = 'template', styles, format = 'html' } = bodyOf(body);
  if (content === undefined) throw new MissingFieldError('content');
  const kind = resourceTypes.find((name) => name === type);
  if (kind === undefined) throw new ValidationError('The `resource_type` must be `broadcast` or `template`.');
  if (!renderFormats.some((name) => name === format))
    throw new ValidationError('The `format` must be `html` or `mjml`.');
  return { content, kind, styles, hasMjml: format === 'mjml' };
}

export function decodeImport(body: unknown): { format: ImportFormat; text: string } {
  const given = bodyOf(body);
  const [format, ...others] = importFormats.filter((name) => given[name] !== undefined);
  if (format === undefined) throw new ValidationError('Missing `html` or `mjml` field.');
  if (others.length > 0) throw new ValidationError('Give exactly one of `html` and `mjml`.');
  const text = stringOf(given[format]);
  if (text === undefined) throw new ValidationError(`The \`${format}\` field must be a string.`);
  return { format, text };
}

export function decodeStyles(body: unknown): unknown {
  const { styles } = bodyOf(body);
  if (styles === undefined) throw new MissingFieldError('styles');
  return styles;
}
