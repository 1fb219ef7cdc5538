/** Mailbox providers whose names people mistype. A domain of this list is never taken for a mistyped other one. */
const providers = [
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com',
  'icloud.com me.com mac.com proton.me protonmail.com pm.me mail.com email.com gmx.com zoho.com fastmail.com hey.com',
  'comcast.net verizon.net att.net sbcglobal.net cox.net bellsouth.net earthlink.net',
  'hotmail.co.uk yahoo.co.uk btinternet.com virginmedia.com hotmail.fr yahoo.fr orange.fr wanadoo.fr laposte.net free.fr',
  'gmx.de gmx.net gmx.at gmx.ch web.de freenet.de hotmail.de yahoo.de outlook.de arcor.de posteo.de mailbox.org bluewin.ch',
  'yahoo.co.jp docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com hotmail.co.jp',
  'yahoo.it hotmail.it libero.it virgilio.it hotmail.es yahoo.es yahoo.com.br hotmail.com.br uol.com.br bol.com.br',
  'yandex.ru yandex.com mail.ru rambler.ru qq.com naver.com daum.net hanmail.net rediffmail.com yahoo.co.in yahoo.ca',
].flatMap((line) => line.split(' '));

const known: ReadonlySet<string> = new Set(providers);

/** Ends that are no top-level domains, and those that are one but stand behind a provider's name by mistake only. */
const mistypedEnds: ReadonlyMap<string, string> = new Map([
  ...['con', 'cmo', 'ocm', 'vom', 'xom', 'cim', 'coom', 'comm', 'cpm', 'clm', 'cm', 'co', 'om'].map(
    (end) => [end, 'com'] as const,
  ),
  ...['nte', 'ner', 'met', 'nett', 'ent'].map((end) => [end, 'net'] as const),
  ...['ogr', 'orgg', 'prg'].map((end) => [end, 'org'] as const),
]);
const realEnds: ReadonlySet<string> = new Set(['cm', 'co', 'om', 'met']);

/** Shorter names are too near to those of others: `aon.com` is no mistyped `aol.com`. */
const minNameLength = 5;
/** Names of this length may have two mistakes. */
const longNameLength = 8;

/**
 * The domain that was probably meant: of a known provider with a letter too many, too few, wrong or exchanged in its name, or
 * with a mistyped end. Takes time by the length of the domain, because the list has a fixed length and names that are longer
 * than all of its names are left out.
 */
export function suggestedDomain(domain: string): string | undefined {
  if (known.has(domain)) return undefined;
  const end = domain.slice(domain.lastIndexOf('.') + 1);
  const meant = mistypedEnds.get(end);
  const mended = meant === undefined ? domain : `${domain.slice(0, -end.length)}${meant}`;
  if (known.has(mended)) return mended;
  const near = nearest(mended);
  if (near !== undefined) return near;
  return meant === undefined || realEnds.has(end) ? undefined : mended;
}

/** A domain without its dots, or with commas in their place, as it was probably meant. */
export function mendedDomain(text: string): string {
  const plain = text.toLowerCase().replace(/[,.]+/g, '.');
  return plain.includes('.') ? plain : (providers.find((name) => name.replaceAll('.', '') === plain) ?? plain);
}

function nearest(domain: string): string | undefined {
  const [name = '', ...rest] = domain.split('.');
  const end = rest.join('.');
  let best: string | undefined;
  let fewest = Infinity;
  for (const provider of providers) {
    const dot = provider.indexOf('.');
    if (dot < minNameLength || provider.slice(dot + 1) !== end) continue;
    const allowed = dot >= longNameLength ? 2 : 1;
    const mistakes = mistakesBetween(name, provider.slice(0, dot), allowed);
    if (mistakes > 0 && mistakes <= allowed && mistakes < fewest) [best, fewest] = [provider, mistakes];
  }
  return best;
}

/** The Damerau-Levenshtein distance of adjacent exchanges; infinite if the lengths alone differ by more than `allowed`. */
function mistakesBetween(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const changed = (last[j - 1] as number) + (isSame ? 0 : 1);
      const exchanged =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] as number) + 1 : Infinity;
      row.push(Math.min(changed, exchanged, (last[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] as number;
}
