import { walk, type JsonNode } from './document-json.js';

/** What is wrong with an email as it would be sent, in a word of `editor:check.<id>`. */
export interface ContentCheck {
  readonly id: 'unresolved' | 'sample' | 'exampleLink' | 'noAddress';
  readonly tone: 'bad' | 'wait';
  readonly count: number;
  /** What it is about, such as the names of variables. */
  readonly names: string;
}

export interface CheckedContent {
  readonly type: 'broadcast' | 'template';
  readonly subject: string;
  readonly html: string;
  /** The words of the html. */
  readonly text: string;
  /** Variables that always have a value. */
  readonly known: readonly string[];
  /** Texts of documents to begin with. */
  readonly samples: readonly string[];
  readonly hasAddress: boolean;
}

const bareTag = /\{\{\{\s*([\w.]{1,100})\s*\}\}\}/g;
/** Every recipient has an address and a link to unsubscribe; `this` is an item of a list. */
const alwaysKnown = /^(?:contact\.)?email$|unsubscribe_url$|^this\b/i;
const exampleLink = /href=["']https?:\/\/((?:[\w-]{1,63}\.){0,4}example\.(?:com|org|net))(?=[/?#:"'])/gi;

export function contentChecksOf(content: CheckedContent): readonly ContentCheck[] {
  const { type, subject, html, known, samples, hasAddress } = content;
  const isKnown = (name: string): boolean =>
    alwaysKnown.test(name) || known.some((each) => each.toLowerCase() === name.toLowerCase());
  const tags = [...`${subject} ${html}`.matchAll(bareTag)]
    .map(([, name = '']) => name)
    .filter((name) => !isKnown(name));
  const unresolved = [...new Set(tags)];
  const text = spaced(content.text);
  const begun = samples.filter((sample) => text.includes(sample));
  const links = [...html.matchAll(exampleLink)].map(([, host = '']) => host.toLowerCase());
  const tone = type === 'broadcast' ? 'bad' : 'wait';
  const checks: readonly ContentCheck[] = [
    {
      id: 'unresolved',
      tone: 'bad',
      count: unresolved.length,
      names: unresolved.map((name) => `{{{${name}}}}`).join(', '),
    },
    { id: 'sample', tone: 'bad', count: begun.length, names: (begun[0] ?? '').slice(0, 60) },
    { id: 'exampleLink', tone: 'bad', count: links.length, names: [...new Set(links)].join(', ') },
    // Laws ask for it in advertising, not in every email.
    { id: 'noAddress', tone, count: hasAddress ? 0 : 1, names: '' },
  ];
  return checks.filter(({ count }) => count > 0);
}

/** Texts that are long enough to be somebody's words: nobody writes them again by chance. */
export function sampleTextsOf(documents: readonly JsonNode[]): readonly string[] {
  const texts = new Set<string>();
  for (const document of documents) {
    walk(document, ({ text }) => {
      const words = spaced(text ?? '');
      if (words.length >= 30) texts.add(words);
    });
  }
  return [...texts];
}

/** Whether a footer of the document has an address of its own. */
export function hasOwnAddress(document: JsonNode): boolean {
  let found = false;
  walk(document, ({ type, attrs }) => {
    if (type === 'footer' && typeof attrs?.address === 'string' && attrs.address.trim() !== '') found = true;
  });
  return found;
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
