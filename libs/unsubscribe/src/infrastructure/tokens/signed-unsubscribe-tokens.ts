import { decodeBase32, encodeBase32 } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { UnsubscribeLink, UnsubscribeTokens } from '../../application/ports/unsubscribing.port.js';

const linkPurpose = 'unsubscribe link';
const mailboxPurpose = 'unsubscribe mailbox';
const mailboxPrefix = 'unsubscribe+';
const idBytes = 16;
/** 96 bits. A link is valid for years, and a guess costs only a request. */
const linkMacBytes = 12;
/** 80 bits: too many to guess over SMTP. */
const mailboxMacBytes = 10;
/** The first byte of a token: which of its forms it has. */
const forms = { allMail: 1, oneTopic: 2, allMailOfEmail: 3, oneTopicOfEmail: 4 } as const;
const maxTokenLength = 600;

/**
 * A token is base64url of: its form (1 byte), the team (16), for one topic its id (16), the email (16), the address in
 * UTF-8, and a MAC (12) over all of these. For an address of 25 characters it has 94 or 115 characters. Forms 1 and 2
 * have no email. `SECRET_KEY_PREVIOUS` verifies tokens of earlier secrets.
 *
 * The mailbox is `unsubscribe+`, the team (16) and a MAC (10) in base32: 54 of the 64 characters that a local part may
 * have, without regard to case. The address of a recipient would not fit, so that the token of the link is in the
 * subject.
 */
@Injectable()
export class SignedUnsubscribeTokens extends UnsubscribeTokens {
  constructor(private readonly secrets: SecretBox) {
    super();
  }

  of({ teamId, address, topicId, emailId }: UnsubscribeLink): string {
    const withoutEmail = topicId === null ? forms.allMail : forms.oneTopic;
    const withEmail = topicId === null ? forms.allMailOfEmail : forms.oneTopicOfEmail;
    const form = emailId === undefined ? withoutEmail : withEmail;
    const ids = [teamId, topicId, emailId].filter((id) => id !== null && id !== undefined);
    const content = Buffer.concat([Buffer.of(form), ...ids.map(bytesOfId), Buffer.from(address, 'utf8')]);
    return Buffer.concat([content, this.secrets.mac(linkPurpose, content, linkMacBytes)]).toString('base64url');
  }

  read(token: string): UnsubscribeLink | undefined {
    if (token.length > maxTokenLength) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // The decoder skips characters that are not base64url, so the token must equal the encoding of its bytes.
    if (bytes.length <= 1 + idBytes + linkMacBytes || bytes.toString('base64url') !== token) return undefined;
    const content = bytes.subarray(0, -linkMacBytes);
    if (!this.secrets.verifyMac(linkPurpose, content, bytes.subarray(-linkMacBytes))) return undefined;
    return linkOf(content);
  }

  mailboxOf(teamId: string): string {
    const team = bytesOfId(teamId);
    const mac = this.secrets.mac(mailboxPurpose, team, mailboxMacBytes);
    return mailboxPrefix + encodeBase32(Buffer.concat([team, mac]));
  }

  teamOf(local: string): string | undefined {
    const lower = local.toLowerCase();
    if (!lower.startsWith(mailboxPrefix)) return undefined;
    const bytes = decodeBase32(lower.slice(mailboxPrefix.length));
    if (bytes?.length !== idBytes + mailboxMacBytes) return undefined;
    const team = bytes.subarray(0, idBytes);
    return this.secrets.verifyMac(mailboxPurpose, team, bytes.subarray(idBytes)) ? idOf(team) : undefined;
  }
}

function linkOf(content: Buffer): UnsubscribeLink | undefined {
  const id = (no: number): string => idOf(content.subarray(1 + no * idBytes, 1 + (no + 1) * idBytes));
  const address = (idsBefore: number): string => content.toString('utf8', 1 + idsBefore * idBytes);
  const teamId = id(0);
  switch (content[0]) {
    case forms.allMail:
      return { teamId, topicId: null, address: address(1) };
    case forms.oneTopic:
      return { teamId, topicId: id(1), address: address(2) };
    case forms.allMailOfEmail:
      return { teamId, topicId: null, emailId: id(1), address: address(2) };
    case forms.oneTopicOfEmail:
      return { teamId, topicId: id(1), emailId: id(2), address: address(3) };
    default:
      return undefined;
  }
}

function bytesOfId(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
