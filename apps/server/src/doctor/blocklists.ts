import { DnsResolver, DnsUnavailableError, reverseName } from '#domains';
import { Clock, FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';
import { isIP } from 'node:net';

/** Lists ask their users not to repeat questions. */
const freshForMs = 6 * 3_600_000;
/** Questions at once: of the doctor or a team, and of all. */
const maxOfOwner = 10;
const maxInAll = 32;
/** Answers that are kept, of about 200 bytes each. */
const maxKnown = 10_000;
const maxReasonLength = 200;
const maxCodes = 10;

export interface BlocklistQuestion {
  /** The address or domain. */
  readonly subject: string;
  /** What is put before the name of the list. */
  readonly label: string;
  readonly list: string;
}

export type BlocklistAnswer =
  | { readonly kind: 'not_listed' }
  | { readonly kind: 'listed'; readonly codes: readonly string[]; readonly reason: string; readonly since: Date }
  /** The list has even what no list may have, which says nothing about the subject. */
  | { readonly kind: 'lists_all' }
  /** The list does not talk to our resolver, which says nothing about the subject. */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'silent'; readonly reason: string }
  /** The list was silent before, or had everything, and was not asked again. */
  | { readonly kind: 'skipped' };

export const addressQuestions = (address: string, lists: readonly string[]): BlocklistQuestion[] => {
  const label = reverseName(address)?.replace(/\.(?:in-addr|ip6)\.arpa$/, '');
  return label === undefined ? [] : lists.map((list) => ({ subject: address, label, list }));
};

export const domainQuestions = (name: string, lists: readonly string[]): BlocklistQuestion[] =>
  lists.map((list) => ({ subject: name, label: name, list }));

/** Asks blocklists (RFC 5782), each question once in six hours. */
@Injectable()
export class Blocklists {
  private readonly turns = new FairBudget({ total: maxInAll, maxPerOwner: maxOfOwner });
  /** The answers of lists by the name that was asked for, those that were asked for longest ago first. */
  private readonly known = new Map<string, { readonly at: number; readonly answer: BlocklistAnswer }>();
  private readonly asked = new Map<string, Promise<BlocklistAnswer>>();

  constructor(
    private readonly dns: DnsResolver,
    private readonly clock: Clock,
  ) {}

  /** `silent` are lists that gave no answer lately, or none that says anything. They are not asked again. */
  ask(question: BlocklistQuestion, owner: string, silent: Set<string>): Promise<BlocklistAnswer> {
    const name = `${question.label}.${question.list}`;
    const known = this.known.get(name);
    if (known !== undefined && this.now() - known.at < freshForMs) return Promise.resolve(known.answer);
    const asked = this.asked.get(name) ?? this.askInTurn(question, name, owner, silent);
    this.asked.set(name, asked);
    return asked.finally(() => this.asked.delete(name));
  }

  private async askInTurn(
    { subject, list }: BlocklistQuestion,
    name: string,
    owner: string,
    silent: Set<string>,
  ): Promise<BlocklistAnswer> {
    const turn = await this.turns.take([owner], 1);
    try {
      if (silent.has(list)) return { kind: 'skipped' };
      const control = `${isIP(subject) === 0 ? 'invalid' : '1.0.0.127'}.${list}`;
      const answer = await this.answerOf(name, control, await this.dns.a(name));
      if (answer.kind !== 'lists_all') this.keep(name, answer);
      else if (silent.has(list)) return { kind: 'skipped' };
      else silent.add(list);
      return answer;
    } catch (error) {
      if (!(error instanceof DnsUnavailableError)) throw error;
      if (silent.has(list)) return { kind: 'skipped' };
      silent.add(list);
      return { kind: 'silent', reason: error.reason };
    } finally {
      turn.release();
    }
  }

  /** Codes are 127.0.0.0/8; those of 127.255.255.0/24 say that the question was refused, for example to a public resolver. */
  private async answerOf(name: string, control: string, codes: readonly string[]): Promise<BlocklistAnswer> {
    if (codes.length === 0) return { kind: 'not_listed' };
    const code = codes.find((each) => each.startsWith('127.255.255.') || !each.startsWith('127.'));
    if (code !== undefined) return { kind: 'refused', code };
    if (await this.hasAll(control)) return { kind: 'lists_all' };
    const [text = ''] = await this.dns.txt(name).catch(() => []);
    const reason = text
      .slice(0, maxReasonLength)
      .toWellFormed()
      .replace(/\p{Cc}|\p{Cf}/gu, ' ');
    const before = this.known.get(name)?.answer;
    const since = before?.kind === 'listed' ? before.since : this.clock.now();
    return { kind: 'listed', codes: codes.slice(0, maxCodes), reason, since };
  }

  /** A list that was given up may have everything. What no list may have is named in RFC 5782 section 5. */
  private async hasAll(control: string): Promise<boolean> {
    const known = this.known.get(control);
    if (known !== undefined && this.now() - known.at < freshForMs) return known.answer.kind === 'lists_all';
    const hasAll = (await this.dns.a(control)).length > 0;
    this.keep(control, { kind: hasAll ? 'lists_all' : 'not_listed' });
    return hasAll;
  }

  private keep(name: string, answer: BlocklistAnswer): void {
    this.known.delete(name);
    this.known.set(name, { at: this.now(), answer });
    const [oldest] = this.known.keys();
    if (this.known.size > maxKnown && oldest !== undefined) this.known.delete(oldest);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
