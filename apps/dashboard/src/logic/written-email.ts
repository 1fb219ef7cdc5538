import { addressesIn } from './mail-addresses.js';

/** An email as its fields are typed. */
export interface WrittenEmail {
  /** Undefined until somebody chooses one: the first sender of the team. */
  readonly from?: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly kind: 'text' | 'html' | 'template';
  readonly text: string;
  readonly html: string;
  readonly templateId?: string;
  readonly variables: Readonly<Record<string, string>>;
}

export const emptyEmail: WrittenEmail = {
  to: '',
  cc: '',
  bcc: '',
  replyTo: '',
  subject: '',
  kind: 'text',
  text: '',
  html: '',
  variables: {},
};

/** The body of `POST /emails`. `variables`: the values of the template, as it wants them. */
export function bodyOfWritten(email: WrittenEmail, variables: Readonly<Record<string, unknown>>) {
  const among = (line: string): string[] | undefined => {
    const addresses = addressesIn(line);
    return addresses.length === 0 ? undefined : [...addresses];
  };
  const { kind, text, html, templateId } = email;
  return {
    from: email.from?.trim() || undefined,
    to: among(email.to) ?? [],
    cc: among(email.cc),
    bcc: among(email.bcc),
    reply_to: among(email.replyTo),
    subject: email.subject.trim() || undefined,
    ...(kind === 'template'
      ? { template: { id: templateId ?? '', variables } }
      : kind === 'html'
        ? { html }
        : { text }),
  };
}

/** Whether it has what the service cannot do without. A template may have the sender and the subject. */
export function isComplete(email: WrittenEmail): boolean {
  if (email.to.trim() === '') return false;
  if (email.kind === 'template') return email.templateId !== undefined;
  const hasBody = (email.kind === 'html' ? email.html : email.text).trim() !== '';
  return hasBody && email.subject.trim() !== '' && (email.from ?? '').trim() !== '';
}

/** Keys for repeated requests: the same content has the same key, so that it is sent once however often it is asked for. */
export class RepeatKey {
  private last: { readonly content: string; readonly key: string } | undefined;

  of(content: string): string {
    if (this.last?.content !== content) this.last = { content, key: crypto.randomUUID() };
    return this.last.key;
  }
}

/** With what the keys of kept emails begin in the storage of the browser. */
export const keptEmails = 'postrider.email';

/** What was kept of an email by `JSON.stringify`; an empty one for anything else. */
export function readWritten(kept: string | null): WrittenEmail {
  try {
    const known = JSON.parse(kept ?? '{}') as Readonly<Record<string, unknown>>;
    const isKept = (name: string): boolean => typeof known[name] === typeof emptyEmail[name as keyof WrittenEmail];
    const fields = Object.fromEntries(Object.entries(known).filter(([name]) => isKept(name)));
    const optional = ['from', 'templateId'].filter((name) => typeof known[name] === 'string');
    return { ...emptyEmail, ...fields, ...Object.fromEntries(optional.map((name) => [name, known[name]])) };
  } catch {
    return emptyEmail;
  }
}
