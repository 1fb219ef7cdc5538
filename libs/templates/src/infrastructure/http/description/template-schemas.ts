import type { ApiDescription } from '#platform/api-description';
import {
  maxAliasLength,
  maxContentBytes,
  maxNameLength,
  maxReplyTo,
  maxSubjectLength,
} from '../../../domain/template-content.js';
import { maxKeyLength, maxValueLength, maxVariables } from '../../../domain/template-variable.js';

const tags = 'May have merge tags such as `{{{NAME}}}` and `{{{NAME|fallback}}}`.';
const bytes = `\`html\` and \`text\` together have at most ${maxContentBytes} bytes.`;

const requestFields = {
  name: { description: `Name for people, at most ${maxNameLength} characters.`, maxLength: maxNameLength },
  alias: {
    description: `Name for programs, in place of the id, unique in your team: at most ${maxAliasLength} letters (A-Z), digits and \`-_.~\`.`,
    maxLength: maxAliasLength,
  },
  from: 'Sender of the emails whose request names none.',
  subject: {
    description: `Subject of the emails whose request has none, at most ${maxSubjectLength} characters. ${tags}`,
    maxLength: maxSubjectLength,
  },
  reply_to: {
    description: `Addresses for replies to the emails whose request names none, at most ${maxReplyTo}.`,
    oneOf: [{ type: 'string' }, { type: 'array', maxItems: maxReplyTo, items: { type: 'string' } }],
  },
  html: `HTML body. ${tags} ${bytes}`,
  text: `Plain text body. Derived from the html of each email where it is absent. ${tags}`,
  variables: {
    description: `The values that the template expects from send requests, at most ${maxVariables}.`,
    maxItems: maxVariables,
  },
};

const variableFields = {
  key: {
    description: `Name in the tags: letters (A-Z), digits and underscores, at most ${maxKeyLength}. Upper and lower case make no difference.`,
    pattern: `^[A-Za-z0-9_]{1,${maxKeyLength}}$`,
  },
  type: `Type of the value: a \`string\` of at most ${maxValueLength} characters, or a \`number\`. The others are rendered as JSON.`,
};

const summaryFields = {
  id: 'Id of the template.',
  name: 'Name for people.',
  alias: 'Name for programs; null where it has none.',
  status: '`published` once a version has been published, `draft` before.',
  published_at: 'When the version was published with which emails are sent; null for a draft.',
  created_at: 'When the template was created.',
  updated_at: 'When the template was last changed.',
};

const reference = { object: 'Always `template`.', id: 'Id of the template.' };

export const templateSchemas: NonNullable<ApiDescription['schemas']> = {
  CreateTemplateRequest: { description: 'A template.', properties: requestFields },
  UpdateTemplateRequest: {
    description: 'The fields to change. Absent ones stay as they are.',
    properties: requestFields,
  },
  TemplateVariableRequest: {
    description: 'A value that the template expects from send requests.',
    properties: {
      ...variableFields,
      fallback_value: 'Used where a send request has no value. Without it, the request must have one.',
    },
  },
  PreviewTemplateRequest: {
    description: 'Values for a preview.',
    properties: {
      variables: 'Values by key, as in a send request.',
      version_id: 'Id of a version. Default: the one that was written last.',
    },
  },
  TemplateIdResponse: { description: 'A template that was created or changed.', properties: reference },
  RemovedTemplateResponse: {
    description: 'The template that was removed.',
    properties: { ...reference, deleted: 'Always true.' },
  },
  TemplateSummaryResponse: { description: 'A template without its content.', properties: summaryFields },
  TemplateResponse: {
    description: 'A template with the content that was written last.',
    properties: {
      object: 'Always `template`.',
      ...summaryFields,
      current_version_id: 'Id of the version that was written last: a draft, or the published one.',
      published_version_id: 'Id of the version with which emails are sent; null for a draft. An addition of Postrider.',
      has_unpublished_versions: 'Whether the content differs from what emails are sent with.',
      from: 'Sender; null where each request has to name one.',
      subject: 'Subject; null where each request has to have one.',
      reply_to: 'Addresses for replies; null where there are none.',
      html: 'HTML body.',
      text: 'Plain text body; null where it is derived from the html.',
      variables: 'The values that the template expects.',
    },
  },
  TemplateVariableResponse: {
    description: 'A value that the template expects from send requests.',
    properties: {
      id: 'Id of the variable.',
      ...variableFields,
      fallback_value: 'Used where a send request has no value; null where it must have one.',
      created_at: 'When the variable was defined.',
      updated_at: 'When the variable was last changed.',
    },
  },
  TemplateVersionResponse: {
    description: 'A published version. It never changes.',
    properties: {
      id: 'Id of the version.',
      created_at: 'When it was begun.',
      published_at: 'When it was published.',
      is_published: 'Whether emails are sent with this version now.',
    },
  },
  TemplatePreviewResponse: {
    description: 'What an email of the template would be.',
    properties: {
      object: 'Always `template_preview`.',
      id: 'Id of the template.',
      version_id: 'Id of the version that was rendered.',
      from: 'Sender; null where each request has to name one.',
      reply_to: 'Addresses for replies; null where there are none.',
      subject: 'Rendered subject; null where each request has to have one.',
      html: 'Rendered html.',
      text: 'Rendered text; null where it is derived from the html.',
      missing_variables: 'Keys of variables without a value, with which an email would be refused.',
    },
  },
};
