import type { BatchItem } from '#emails';
import { ValidationError } from '#kernel';
import { itemOf } from '../wire-emails.js';
import { jsonObjectOf, WireFields } from '../wire-fields.js';
import { refuseOthersOfSes, sesComposed } from './ses-message.js';

const maxEntries = 50;
const maxTags = 50;
const maxHeaders = 100;
/** As theirs. It bounds what one request can be multiplied to. */
const maxDataLength = 262_144;
const maxVariables = 1_000;

/** The body of `SendBulkEmail` of version 2: a message for each entry, or why it is refused. */
export function sesBulk(body: unknown): readonly BatchItem[] {
  const bulk = WireFields.of(body);
  refuseOthersOfSes(bulk);
  const template = bulk.object('DefaultContent')?.object('Template');
  if (template === undefined) throw new ValidationError('`DefaultContent.Template` is required.');
  template.refuse(['TemplateArn', 'TemplateContent', 'Attachments']);
  const variables = variablesIn(template, 'TemplateData');
  const entries = bulk.objects('BulkEmailEntries', maxEntries);
  if (entries.length === 0) throw new ValidationError('`BulkEmailEntries` must not be empty.');
  const tags = bulk.list('DefaultEmailTags', maxTags);
  const headers = template.list('Headers', maxHeaders);
  const TemplateName = template.any('TemplateName');
  const shared = ['FromEmailAddress', 'ReplyToAddresses', 'ConfigurationSetName'].map((name) => [name, bulk.any(name)]);
  return entries.map((entry) =>
    itemOf(() => {
      const replaced = entry.object('ReplacementEmailContent')?.object('ReplacementTemplate');
      const own = replaced === undefined ? {} : variablesIn(replaced, 'ReplacementTemplateData');
      const message = sesComposed(
        WireFields.of({
          ...(Object.fromEntries(shared) as object),
          Destination: entry.any('Destination'),
          // Of two with one name the later one counts.
          EmailTags: [...tags, ...entry.list('ReplacementTags', maxTags)],
          Content: {
            Template: { TemplateName, Headers: [...headers, ...entry.list('ReplacementHeaders', maxHeaders)] },
          },
        }),
      );
      return { ...message, template: message.template && { ...message.template, variables: { ...variables, ...own } } };
    }),
  );
}

function variablesIn(fields: WireFields, name: string): Readonly<Record<string, unknown>> {
  const text = fields.text(name) ?? '{}';
  const field = fields.pathOf(name);
  if (text.length <= maxDataLength) {
    const variables = jsonObjectOf(field, text);
    if (Object.keys(variables).length <= maxVariables) return variables;
  }
  throw new ValidationError(`\`${field}\` may have ${maxVariables} variables and ${maxDataLength} characters.`);
}
