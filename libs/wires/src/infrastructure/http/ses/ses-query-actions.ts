import { ValidationError } from '#kernel';
import { nestedParameters, QueryParameters } from './ses-query.js';

type Given = Readonly<Record<string, unknown>>;

/** An action of version 1 that sends: its parameters, and the body that version 2 has for the same. */
interface SendingAction {
  /** `[]` stands for the number of a member. */
  readonly parameters: readonly string[];
  readonly required: readonly string[];
  readonly bodyOf: (given: Given) => object;
}

const destination = ['ToAddresses[]', 'CcAddresses[]', 'BccAddresses[]'].map((name) => `Destination.${name}`);
const tags = ['Tags[].Name', 'Tags[].Value'];
const shared = ['Source', 'ConfigurationSetName', 'ReplyToAddresses[]'];
const texts = ['Subject', 'Body.Text', 'Body.Html'].flatMap((key) => [`Message.${key}.Data`, `Message.${key}.Charset`]);
const entry = [...destination, 'ReplacementTags[].Name', 'ReplacementTags[].Value', 'ReplacementTemplateData'];
const defaults = ['DefaultTags[].Name', 'DefaultTags[].Value', 'DefaultTemplateData'];

/** Source: the API reference of SES 2010-12-01. Everything else that an action has there is refused. */
const actions: Readonly<Record<string, SendingAction>> = {
  SendEmail: {
    parameters: [...shared, ...destination, ...tags, ...texts],
    required: ['Source', 'Destination', 'Message'],
    bodyOf: (given) => ({ ...envelopeOf(given), Content: { Simple: given.Message } }),
  },
  SendRawEmail: {
    parameters: ['Source', 'ConfigurationSetName', 'Destinations[]', 'RawMessage.Data', ...tags],
    required: ['RawMessage'],
    bodyOf: ({ Destinations, RawMessage, ...given }) => ({
      ...envelopeOf({ ...given, Destination: { ToAddresses: Destinations } }),
      Content: { Raw: RawMessage },
    }),
  },
  SendTemplatedEmail: {
    parameters: [...shared, ...destination, ...tags, 'Template', 'TemplateData'],
    required: ['Source', 'Destination', 'Template', 'TemplateData'],
    bodyOf: ({ Template, TemplateData, ...given }) => ({
      ...envelopeOf(given),
      Content: { Template: { TemplateName: Template, TemplateData } },
    }),
  },
  SendBulkTemplatedEmail: {
    parameters: [...shared, ...defaults, 'Template', ...entry.map((name) => `Destinations[].${name}`)],
    required: ['Source', 'Template', 'Destinations'],
    bodyOf: ({ Template, DefaultTemplateData, DefaultTags, Destinations, ...given }) => ({
      ...envelopeOf(given),
      DefaultEmailTags: DefaultTags,
      DefaultContent: { Template: { TemplateName: Template, TemplateData: DefaultTemplateData } },
      BulkEmailEntries: (Destinations as Given[]).map(({ ReplacementTemplateData, ...one }) => ({
        ...one,
        ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData } },
      })),
    }),
  },
};

/** The body of version 2 for an action that sends. Undefined: it is no such action. */
export function sesBodyOf(action: string, parameters: QueryParameters): object | undefined {
  if (!Object.hasOwn(actions, action)) return undefined;
  const { parameters: allowed, required, bodyOf } = actions[action] as SendingAction;
  const given = nestedParameters(parameters, allowed);
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new ValidationError(`\`${missing}\` is required.`);
  return bodyOf(given);
}

function envelopeOf({ Source, Tags, ...given }: Given): object {
  return { ...given, FromEmailAddress: Source, EmailTags: Tags };
}
