const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

/** The entities of HTML 4 that occur in mail: Latin-1, punctuation and some symbols. Unknown entities are not decoded. */
const named = new Map<string, string>([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    circ: 'ˆ',
    tilde: '˜',
    ensp: '\u2002',
    emsp: '\u2003',
    thinsp: '\u2009',
    zwnj: '\u200c',
    zwj: '\u200d',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    dagger: '†',
    bull: '•',
    hellip: '…',
    permil: '‰',
    lsaquo: '‹',
    rsaquo: '›',
    euro: '€',
    trade: '™',
    larr: '←',
    uarr: '↑',
    rarr: '→',
    darr: '↓',
    minus: '−',
    check: '✓',
    star: '☆',
    hearts: '♥',
  }),
]);

/** Maximum length of a reference. A longer one is text with an ampersand. */
const maxReferenceLength = 32;

/** Decodes character references (HTML section 13.2.5.72) in linear time. */
export function decodeEntities(text: string): string {
  let at = text.indexOf('&');
  if (at === -1) return text;
  let decoded = '';
  let from = 0;
  while (at !== -1) {
    const reference = readReference(text, at + 1);
    if (reference !== undefined) {
      decoded += text.slice(from, at) + reference.character;
      from = reference.end;
    }
    at = text.indexOf('&', Math.max(from, at + 1));
  }
  return decoded + text.slice(from);
}

/** References that may end without a semicolon, where no letter or digit follows (HTML section 13.2.5.73). */
const withoutSemicolon = new Set([
  ...latin1.split(' '),
  'amp',
  'lt',
  'gt',
  'quot',
  'AMP',
  'LT',
  'GT',
  'QUOT',
  'COPY',
  'REG',
]);

/**
 * The value of an attribute as a browser reads it. Undefined if it contains an unknown reference, since a link that is
 * decoded wrongly would lead to another address.
 */
export function decodeAttribute(raw: string): string | undefined {
  for (let at = raw.indexOf('&'); at !== -1; at = raw.indexOf('&', at + 1)) {
    let end = at + 1;
    while (end < raw.length && end - at <= maxReferenceLength && isReferenceCharacter(raw.charCodeAt(end))) end++;
    const name = raw.slice(at + 1, end);
    if (name.startsWith('#') || name === '') continue;
    if (raw[end] === ';' ? !named.has(name) : raw[end] !== '=' && withoutSemicolon.has(name)) return undefined;
  }
  return decodeEntities(raw);
}

function readReference(text: string, start: number): { character: string; end: number } | undefined {
  let end = start;
  while (end < text.length && end - start < maxReferenceLength && isReferenceCharacter(text.charCodeAt(end))) end++;
  if (end === start) return undefined;
  const isTerminated = text[end] === ';';
  const name = text.slice(start, end);
  const character = name.startsWith('#') ? numericCharacter(name.slice(1)) : isTerminated ? named.get(name) : undefined;
  return character === undefined ? undefined : { character, end: isTerminated ? end + 1 : end };
}

function isReferenceCharacter(code: number): boolean {
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x23;
}

function numericCharacter(digits: string): string | undefined {
  const isHex = /^x[0-9a-f]{1,8}$/i.test(digits);
  if (!isHex && !/^[0-9]{1,8}$/.test(digits)) return undefined;
  const code = isHex ? parseInt(digits.slice(1), 16) : Number(digits);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code < 0xa0);
  return isSurrogate || isControl || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
