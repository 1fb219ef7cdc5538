import {
  bytesOfText,
  checkTagCount,
  hasUnreadSections,
  mergeName,
  MergeTag,
  MergeTemplate,
  MissingFieldError,
  mailboxField,
  replyToField,
  storableField,
  ValidationError,
} from '#kernel';
import { TemplateTooLargeError, UndefinedVariableError } from './template-errors.js';
import { isBuiltIn, isOfContact, parseVariables, RequestedVariable, TemplateVariable } from './template-variable.js';
import { TemplateContent } from './template.js';

/** The fields of a request to create or to change a template. Absent fields stay as they are. */
export interface RequestedTemplate {
  readonly name?: string;
  readonly alias?: string;
  readonly from?: string;
  readonly subject?: string;
  readonly replyTo?: readonly string[];
  readonly html?: string;
  /** Null: none was written, so that it is made of the html. */
  readonly text?: string | null;
  readonly variables?: readonly RequestedVariable[];
}

export const maxNameLength = 256;
export const maxAliasLength = 128;
export const maxSubjectLength = 998;
/** Limit of html and text together. Mail programs cut off html of more than a tenth of it. */
export const maxContentBytes = 1024 * 1024;

const aliasForm = /^[\w.~-]{1,128}$/;
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const copySuffix = ' (Copy)';

const noContent = { from: null, subject: null, replyTo: null, text: null, variables: [] };

export function parseName(name: string | undefined): string {
  if (name === undefined) throw new MissingFieldError('name');
  if (name.length > maxNameLength)
    throw new ValidationError(`The \`name\` field may have at most ${maxNameLength} characters.`);
  return storableField('name', name);
}

/** An alias that looks like an id would hide the template with that id. */
export function parseAlias(alias: string): string {
  if (uuidForm.test(alias)) throw new ValidationError('The `alias` field must not be a UUID.');
  if (aliasForm.test(alias)) return alias;
  throw new ValidationError(
    `The \`alias\` field must have 1 to ${maxAliasLength} letters (A-Z), digits, and characters of \`-_.~\`.`,
  );
}

export function nameOfCopy(name: string): string {
  return name.slice(0, maxNameLength - copySuffix.length).toWellFormed() + copySuffix;
}

/** The content after a change. Checks that every tag has a variable. */
export function changedContent(
  requested: RequestedTemplate,
  before: TemplateContent | undefined,
  now: Date,
): TemplateContent {
  const { html = before?.html } = requested;
  if (html === undefined) throw new MissingFieldError('html');
  const content: TemplateContent = {
    ...(before ?? noContent),
    ...(requested.from === undefined ? {} : { from: mailboxField('from', requested.from) }),
    ...(requested.subject === undefined ? {} : { subject: subjectLine(requested.subject) }),
    ...(requested.replyTo === undefined ? {} : { replyTo: replyToField(requested.replyTo) }),
    ...(requested.text === undefined
      ? {}
      : { text: requested.text === null ? null : storableField('text', requested.text) }),
    ...(requested.variables === undefined
      ? {}
      : { variables: parseVariables(requested.variables, before?.variables ?? [], now) }),
    html: storableField('html', html),
  };
  if (bytesOfText(content.html) + bytesOfText(content.text ?? '') > maxContentBytes) {
    throw new TemplateTooLargeError(maxContentBytes);
  }
  checkTagCount('html', content.html);
  checkTagCount('text', content.text);
  requireVariables(content);
  return content;
}

/**
 * The content after a document was composed. Variables that the document uses and the template lacks are defined: as texts, and as
 * lists where something is repeated for them.
 */
export function composedContent(before: TemplateContent, html: string, text: string, now: Date): TemplateContent {
  const known = new Set(before.variables.map(({ key }) => mergeName(key)));
  const lists = new Set([...html.matchAll(/\{\{#each (\w{1,100})\}\}/g)].map(([, name = '']) => mergeName(name)));
  const lacking = new Map<string, RequestedVariable>();
  for (const { key, name, isCareful } of new MergeTemplate(html, 'text').tags) {
    if (isCareful || known.has(name) || isBuiltIn(key)) continue;
    lacking.set(name, { key, type: lists.has(name) ? 'list' : 'string', fallbackValue: lists.has(name) ? [] : null });
  }
  const variables: RequestedVariable[] = [...before.variables, ...lacking.values()];
  return changedContent({ html, text, ...(lacking.size === 0 ? {} : { variables }) }, before, now);
}

/** Throws for a condition or a list that is not valid: every reader would see its tags. A draft may have it. */
export function requireReadSections({ html, text, subject }: Pick<TemplateContent, 'html' | 'text' | 'subject'>): void {
  for (const [field, content] of Object.entries({ html, text, subject })) {
    if (content === null || !hasUnreadSections(content)) continue;
    throw new ValidationError(
      `In the \`${field}\` field, a condition or a list is not valid. They are written ` +
        '`{{#if PLAN eq "pro"}}…{{else}}…{{/if}}` and `{{#each ITEMS}}…{{/each}}`.',
    );
  }
}

/** Throws for the first tag that has neither a variable nor a value of the service itself. */
function requireVariables({ html, text, subject, variables }: TemplateContent): void {
  const defined = new Set(variables.map(({ key }) => key.toLowerCase()));
  for (const part of [subject, html, text]) {
    if (part === null) continue;
    // Text in two braces may belong to another program, so it is a tag only if such a variable is defined.
    const tag = new MergeTemplate(part, 'text').tags.find(
      ({ key, isCareful }) => !isCareful && !defined.has(key.toLowerCase()) && !isBuiltIn(key),
    );
    if (tag !== undefined) throw new UndefinedVariableError(tag.key);
  }
}

/** Compiles all texts and returns their tags. Call it once. */
export function tagsOf({ subject, html, text }: TemplateContent): readonly MergeTag[] {
  return [subject, html, text].flatMap((part) => (part === null ? [] : new MergeTemplate(part, 'text').tags));
}

/** Variables that a send request must give if they have no fallback: those with a tag that has none. */
export function variablesWithoutFallback(
  { variables }: TemplateContent,
  tags: readonly MergeTag[],
): readonly TemplateVariable[] {
  const bare = new Set(tags.filter(({ fallback }) => fallback === undefined).map(({ name }) => name));
  return variables.filter(({ key, fallbackValue }) => fallbackValue === null && bare.has(key.toLowerCase()));
}

/**
 * Names of the tags that stand for values of the recipient's contact. A variable takes precedence over a property with
 * its name.
 */
export function contactNames({ variables }: TemplateContent, tags: readonly MergeTag[]): ReadonlySet<string> {
  const ofVariables = new Set(variables.map(({ key }) => mergeName(key)));
  const names = tags.filter(({ key, name }) => isOfContact(key) && !ofVariables.has(name)).map(({ name }) => name);
  return new Set(names);
}

function subjectLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new ValidationError('The `subject` field must not contain line breaks.');
  if (text.length <= maxSubjectLength) return storableField('subject', text);
  throw new ValidationError(`The \`subject\` field may have at most ${maxSubjectLength} characters.`);
}
