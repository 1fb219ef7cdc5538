import { Injectable } from '@nestjs/common';
import { ChangePreferences } from './change-preferences.use-case.js';
import { MailSubjects, UnsubscribeTokens } from './ports/unsubscribing.port.js';

/**
 * `unsubscribe` and the token, as the link of the email has them. A mail program may put something in front or fold the
 * line.
 */
const subjectForm = /unsubscribe\s+([\w-]{40,700})(?![\w-])/i;
const maxSubjectLength = 2_000;

/** Answers mail to the address of the List-Unsubscribe field: it unsubscribes as the link does (RFC 2369 section 3.2). */
@Injectable()
export class UnsubscribeByMail {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly subjects: MailSubjects,
    private readonly changePreferences: ChangePreferences,
  ) {}

  /** Whether mail to this address unsubscribes somebody. The host is ignored, since it may be an alias of ours. */
  accepts(recipient: string): boolean {
    return this.teamOf(recipient) !== undefined;
  }

  /**
   * Resolves once the choice is durable. Mail whose subject has no valid token of the same team changes nothing: the
   * sender of a mail can be forged, so that only the token says who unsubscribes.
   */
  async receive(recipient: string, content: Uint8Array): Promise<void> {
    const subject = this.subjects.of(content).slice(0, maxSubjectLength);
    const [, token] = subjectForm.exec(subject) ?? [];
    const link = token === undefined ? undefined : this.tokens.read(token);
    if (token === undefined || link === undefined || link.teamId !== this.teamOf(recipient)) return;
    await this.changePreferences.unsubscribe(token, 'one-click');
  }

  private teamOf(recipient: string): string | undefined {
    const at = recipient.lastIndexOf('@');
    return at <= 0 ? undefined : this.tokens.teamOf(recipient.slice(0, at));
  }
}
