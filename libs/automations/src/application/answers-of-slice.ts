import type { ConsentingContact } from '#audience';
import { Transaction } from '#kernel';
import { Answer, AnswerKey, DueRun, keyOfAnswer, RunQueue } from './ports/run-queue.port.js';

/** An author is answered by one run of an automation within this time (RFC 3834 section 2). */
const answersEveryMs = 86_400_000;
const refusal = 'The author has had an answer from this automation within the last day.';

/**
 * The answers to authors of received mail that the runs of a slice may send. They are locked before anything else, in one
 * order, so that two slices neither answer the same author nor wait for each other.
 */
export class AnswersOfSlice {
  private readonly sent = new Map<string, Answer>();

  private constructor(
    private readonly last: ReadonlyMap<string, Answer>,
    private readonly now: Date,
  ) {}

  static async lock(
    queue: RunQueue,
    { due, contacts, now }: Readonly<{ due: readonly DueRun[]; contacts: Contacts; now: Date }>,
    transaction: Transaction,
  ): Promise<AnswersOfSlice> {
    const asked = new Map<string, AnswerKey>();
    for (const { run, graph } of due) {
      const contact = contacts.get(run.contactId);
      if (!run.isAnswer || contact === undefined || graph.templates.size === 0) continue;
      const key = keyFor(run, contact);
      asked.set(keyOfAnswer(key), key);
    }
    const since = new Date(now.getTime() - answersEveryMs);
    const last = asked.size === 0 ? [] : await queue.lockAnswers([...asked.values()], since, transaction);
    return new AnswersOfSlice(new Map(last.map((answer) => [keyOfAnswer(answer), answer])), now);
  }

  /** Why the run sends no email to its contact. Undefined: it may. */
  refusal(run: DueRun['run'], contact: ConsentingContact): string | undefined {
    const key = keyOfAnswer(keyFor(run, contact));
    const answer = this.sent.get(key) ?? this.last.get(key);
    if (!run.isAnswer || answer === undefined || answer.runId === run.id) return undefined;
    return answer.answeredAt.getTime() > this.now.getTime() - answersEveryMs ? refusal : undefined;
  }

  note(run: DueRun['run'], contact: ConsentingContact): void {
    if (!run.isAnswer) return;
    const answer = { ...keyFor(run, contact), runId: run.id, answeredAt: this.now };
    this.sent.set(keyOfAnswer(answer), answer);
  }

  get written(): readonly Answer[] {
    return [...this.sent.values()];
  }
}

type Contacts = ReadonlyMap<string, ConsentingContact>;

function keyFor({ teamId, automationId }: DueRun['run'], { email }: ConsentingContact): AnswerKey {
  return { teamId, automationId, author: mailboxOf(email) };
}

/** Mail to an address with a tag comes to the same person. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.indexOf('+');
  return `${email.slice(0, plus > 0 && plus < at ? plus : at)}${email.slice(at)}`.toLowerCase();
}
