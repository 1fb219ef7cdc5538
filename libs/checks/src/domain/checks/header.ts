import { Check, sources } from '../check.js';
import { counted, flaw, good, Verdict } from '../finding.js';
import { fieldOf } from '../message-facts.js';

const messageId: Check = {
  id: 'message_id',
  source: sources.rfc(5322, '3.6.4', 'Identification fields'),
  of: ({ message: { fields } }) => {
    const ids = fields.filter(({ name }) => name === 'message-id');
    const [first] = ids;
    const fix = 'Leave the field out: it is added automatically.';
    if (first === undefined) return flaw('problem', 'There is no Message-ID.', fix);
    if (ids.length > 1) return flaw('problem', `There are ${ids.length} Message-ID fields.`, fix);
    return /^<[^<>@\s]+@[^<>@\s]+>$/.test(first.value.trim())
      ? good(`Message-ID: ${first.value}`)
      : flaw('warning', `The Message-ID ${first.value} is not of the form <unique@domain>.`, fix);
  },
};

const maxDriftMs = 24 * 3_600_000;

const date: Check = {
  id: 'date',
  source: sources.rfc(5322, '3.6.1', 'The origination date field'),
  of: ({ message, createdAt }) => {
    const value = fieldOf(message, 'date');
    const at = Date.parse(value ?? '');
    const fix = 'Leave the field out: it is added automatically.';
    if (value === undefined || Number.isNaN(at)) return flaw('problem', `The date is ${value ?? 'missing'}.`, fix);
    return Math.abs(at - createdAt.getTime()) > maxDriftMs
      ? flaw('warning', `The date is ${value}, more than a day away from when the email was created.`, fix)
      : good(`Date: ${value}`);
  },
};

const maxLine = 998;

const lineLength: Check = {
  id: 'line_length',
  source: sources.rfc(5322, '2.1.1', 'Line length limits'),
  of: ({ message: { longestLine } }) =>
    longestLine > maxLine
      ? flaw(
          'problem',
          `The longest line has ${longestLine} bytes; at most ${maxLine} are allowed.`,
          'Encode the part as quoted-printable or base64. The API does so automatically.',
        )
      : good(`The longest line has ${longestLine} bytes.`),
};

const maxShownSubject = 70;

const subjectLength: Check = {
  id: 'subject_length',
  source: sources.yahoo,
  of: ({ message }) => {
    const subject = subjectOf(fieldOf(message, 'subject'));
    if (subject === '') return flaw('warning', 'The subject is empty.', 'Say what the email is about.');
    const length = [...subject].length;
    return length > maxShownSubject
      ? flaw(
          'advice',
          `The subject has ${counted(length, 'character')}.`,
          'Put what matters first: phones show about 40 characters.',
        )
      : good(`The subject has ${counted(length, 'character')}.`);
  },
};

const subjectStyle: Check = {
  id: 'subject_style',
  source: sources.gmail,
  of: ({ message }) => {
    const subject = subjectOf(fieldOf(message, 'subject'));
    const letters = [...subject.replace(/\P{L}/gu, '')];
    const capitals = letters.filter((letter) => letter !== letter.toLowerCase()).length;
    if (letters.length >= 10 && capitals / letters.length > 0.7) {
      return flaw('warning', `The subject "${subject}" is all in capitals.`, 'Write it in sentence case.');
    }
    return /[!?]{3}|[!$€£]{2}/.test(subject)
      ? flaw('advice', `The subject "${subject}" repeats punctuation.`, 'Use a single mark.')
      : good('The subject is written like a sentence.');
  },
};

const replyPrefix: Check = {
  id: 'subject_reply_prefix',
  source: sources.gmail,
  of: ({ message }): Verdict => {
    const subject = subjectOf(fieldOf(message, 'subject'));
    const isReply = fieldOf(message, 'in-reply-to') !== undefined || fieldOf(message, 'references') !== undefined;
    return /^(?:re|aw|fwd?|wg|sv|vs|tr)\s?:/i.test(subject) && !isReply
      ? flaw(
          'warning',
          `The subject "${subject}" looks like a reply, but the email does not say which message it replies to.`,
          'Remove the prefix, or set In-Reply-To and References.',
        )
      : good('The subject does not pretend to be a reply.');
  },
};

export const headerChecks = [messageId, date, lineLength, subjectLength, subjectStyle, replyPrefix];

const subjectOf = (value: string | undefined): string => (value ?? '').trim();
