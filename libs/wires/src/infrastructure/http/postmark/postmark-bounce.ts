import type { ProviderEvent } from '../event-names.js';
import { keptFields } from './postmark-message.js';
import { numberOf } from './postmark-pages.js';

const codesOfTypes = {
  HardBounce: 1,
  Transient: 2,
  SoftBounce: 4_096,
  SpamComplaint: 512,
} as const;
type BounceType = keyof typeof codesOfTypes;
const namesOfTypes: Readonly<Record<BounceType, string>> = {
  HardBounce: 'Hard bounce',
  Transient: 'Message delayed/Undeliverable',
  SoftBounce: 'Soft bounce',
  SpamComplaint: 'Spam complaint',
};

interface BounceDetail {
  readonly type?: string;
  readonly message?: string;
  readonly diagnosticCode?: readonly string[];
}

export function typeOf({ type, data }: ProviderEvent): BounceType {
  if (type === 'email.complained') return 'SpamComplaint';
  switch ((data?.bounce as BounceDetail | undefined)?.type) {
    case 'Transient':
      return 'SoftBounce';
    case 'Undetermined':
      return 'Transient';
    default:
      return 'HardBounce';
  }
}

export function bounceOf(event: ProviderEvent, teamId: string): Record<string, unknown> {
  const type = typeOf(event);
  const { message = '', diagnosticCode = [] } = (event.data?.bounce ?? {}) as BounceDetail;
  const { Tag, MessageStream, Metadata } = keptFields(event.tags);
  const isFinal = type === 'HardBounce' || type === 'SpamComplaint';
  return {
    RecordType: 'Bounce',
    ID: Number(event.position),
    Type: type,
    TypeCode: codesOfTypes[type],
    Name: namesOfTypes[type],
    Tag,
    MessageID: event.emailId,
    ServerID: numberOf(teamId),
    MessageStream,
    Metadata,
    Description: message,
    Details: diagnosticCode.join('\n'),
    Email: event.recipient ?? '',
    From: event.from,
    BouncedAt: event.createdAt.toISOString(),
    DumpAvailable: false,
    Inactive: isFinal,
    CanActivate: isFinal,
    Subject: event.subject,
    Content: '',
  };
}
