import { ReplyCategory } from './reply-rules.js';

/** Type and subtype of a bounce as the contract names them (docs/wire-contract.md section 22.4). */
export interface BounceClass {
  readonly type: 'Permanent' | 'Transient' | 'Undetermined';
  readonly subType:
    | 'General'
    | 'NoEmail'
    | 'MailboxFull'
    | 'MessageTooLarge'
    | 'ContentRejected'
    | 'AttachmentRejected'
    | 'Undetermined';
}

/**
 * The bounce for a refusal that ended a recipient. Only a bad address is Permanent/NoEmail, and only that suppresses.
 * Refusals because of the mailbox's present state, this message or our reputation are Transient, since another message
 * may be accepted.
 */
export function bounceOfRefusal(category: ReplyCategory): BounceClass {
  switch (category) {
    case 'bad-address':
      return { type: 'Permanent', subType: 'NoEmail' };
    case 'policy':
    case 'unknown':
      return { type: 'Permanent', subType: 'General' };
    default:
      return bounceOfDelay(category);
  }
}

/** The bounce for a deferral that lasted until the retry time ran out. */
export function bounceOfDelay(category: ReplyCategory): BounceClass {
  switch (category) {
    case 'mailbox-full':
      return { type: 'Transient', subType: 'MailboxFull' };
    case 'too-large':
      return { type: 'Transient', subType: 'MessageTooLarge' };
    case 'content':
      return { type: 'Transient', subType: 'ContentRejected' };
    case 'attachment':
      return { type: 'Transient', subType: 'AttachmentRejected' };
    default:
      return { type: 'Transient', subType: 'General' };
  }
}

export const undetermined: BounceClass = { type: 'Undetermined', subType: 'Undetermined' };
