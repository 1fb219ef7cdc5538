export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const maxWords = 1_500;

/** What has to be added and removed, word by word, to come from one text to the other. Long texts are compared as far as they are the same at both ends. */
export function changedWords(before: string, after: string): readonly DiffPart[] {
  const [one, other] = [words(before), words(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [removed, added] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const middle =
    removed.length * added.length > maxWords * maxWords
      ? [part('removed', removed), part('added', added)]
      : inner(removed, added);
  return [part('same', one.slice(0, start)), ...middle, part('same', one.slice(one.length - end))].filter(
    ({ text }) => text !== '',
  );
}

/** The longest common words, by the usual table. */
function inner(one: readonly string[], other: readonly string[]): DiffPart[] {
  const width = other.length + 1;
  const table = new Uint16Array((one.length + 1) * width);
  for (let a = one.length - 1; a >= 0; a--) {
    for (let b = other.length - 1; b >= 0; b--) {
      table[a * width + b] =
        one[a] === other[b]
          ? (table[(a + 1) * width + b + 1] as number) + 1
          : Math.max(table[(a + 1) * width + b] as number, table[a * width + b + 1] as number);
    }
  }
  const parts: DiffPart[] = [];
  const put = (kind: DiffPart['kind'], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: `${last.text} ${text}` };
    else parts.push({ kind, text });
  };
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    if (a < one.length && b < other.length && one[a] === other[b]) {
      put('same', one[a] as string);
      a++;
      b++;
    } else if (
      b >= other.length ||
      (a < one.length && (table[(a + 1) * width + b] as number) >= (table[a * width + b + 1] as number))
    ) {
      put('removed', one[a++] as string);
    } else put('added', other[b++] as string);
  }
  return parts;
}

function part(kind: DiffPart['kind'], list: readonly string[]): DiffPart {
  return { kind, text: list.join(' ') };
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
