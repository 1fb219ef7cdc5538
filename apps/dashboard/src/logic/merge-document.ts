import { Slice, type Fragment, type Mark, type Node as DocumentNode } from '@tiptap/pm/model';
import { StepMap, type Transform } from '@tiptap/pm/transform';

/** What has to be done to come from one document to another. Positions are those of the first. */
export type DocumentChange =
  | { readonly kind: 'content'; readonly from: number; readonly to: number; readonly content: Fragment }
  | { readonly kind: 'marks'; readonly from: number; readonly to: number; readonly marks: readonly Mark[] }
  /** `at` is the position before the node; -1: the document itself. */
  | { readonly kind: 'node'; readonly at: number; readonly node: DocumentNode };

/** Longer lists are taken as wholly different between what they have in common at both ends. */
const maxCells = 4_000_000;
/** Pairs of blocks that are compared at most, so that long documents do not hold up typing. */
const maxLikenesses = 2_500;

/**
 * Writes into `tr`, whose document came from `base`, what others made of `base`. Nothing of either side is lost: what one of them
 * removed and the other one changed stays.
 */
export function mergeInto(tr: Transform, base: DocumentNode, theirs: DocumentNode): void {
  const mine = tr.doc;
  const own = changesBetween(base, mine);
  const map = new StepMap(
    own.flatMap((change) =>
      change.kind === 'content' ? [change.from, change.to - change.from, change.content.size] : [],
    ),
  );
  // From the end, so that earlier positions stay what they are.
  for (const change of [...changesBetween(base, theirs)].reverse()) {
    if (own.some((other) => isSame(other, change))) continue;
    if (change.kind === 'node') mergeNode(tr, base, map, change);
    else {
      const from = map.map(change.from, change.from === change.to ? -1 : 1);
      const to = Math.max(from, map.map(change.to, -1));
      if (change.kind === 'content') {
        const isUntouched = mine.slice(from, to).content.eq(base.slice(change.from, change.to).content);
        tr.replace(from, isUntouched ? to : from, new Slice(change.content, 0, 0));
      } else {
        tr.removeMark(from, to);
        for (const mark of change.marks) tr.addMark(from, to, mark);
      }
    }
  }
}

/** Of an attribute that both have changed, the own value stays. */
function mergeNode(
  tr: Transform,
  base: DocumentNode,
  map: StepMap,
  { at, node }: { readonly at: number; readonly node: DocumentNode },
): void {
  if (at < 0) {
    for (const name of changedAttrs(base, node)) {
      if (isEqual(base.attrs[name], tr.doc.attrs[name])) tr.setDocAttribute(name, node.attrs[name]);
    }
    return;
  }
  const { pos, deletedAfter } = map.mapResult(at, 1);
  const before = base.nodeAt(at);
  const own = tr.doc.nodeAt(pos);
  if (deletedAfter || before === null || own?.type !== before.type) return;
  const changed = changedAttrs(before, node).filter((name) => isEqual(before.attrs[name], own.attrs[name]));
  const attrs = { ...own.attrs, ...Object.fromEntries(changed.map((name) => [name, node.attrs[name]])) };
  tr.setNodeMarkup(pos, node.type, node.type === before.type ? attrs : node.attrs, own.marks);
}

/** In the order of their positions; those of a block before those of its content. */
export function changesBetween(before: DocumentNode, after: DocumentNode): DocumentChange[] {
  const changes: DocumentChange[] = [];
  if (changedAttrs(before, after).length > 0) changes.push({ kind: 'node', at: -1, node: after });
  compareContent(before, after, 0, changes);
  return changes;
}

/** How much has to be put in and taken out. */
export function distanceBetween(before: DocumentNode, after: DocumentNode): number {
  return changesBetween(before, after).reduce(
    (sum, change) => sum + 1 + (change.kind === 'content' ? change.to - change.from + change.content.size : 0),
    0,
  );
}

function compareContent(before: DocumentNode, after: DocumentNode, start: number, changes: DocumentChange[]): void {
  if (before.content.eq(after.content)) return;
  if (before.inlineContent) compareInline(before, after, start, changes);
  else compareBlocks(before, after, start, changes);
}

function compareBlocks(before: DocumentNode, after: DocumentNode, start: number, changes: DocumentChange[]): void {
  const [old, young] = [[...before.children], [...after.children]];
  const offsets = offsetsOf(old);
  const newOffsets = offsetsOf(young);
  const put = (fromOld: number, toOld: number, fromNew: number, toNew: number): void => {
    if (fromOld === toOld && fromNew === toNew) return;
    const content = after.content.cut(at(newOffsets, fromNew), at(newOffsets, toNew));
    changes.push({ kind: 'content', from: start + at(offsets, fromOld), to: start + at(offsets, toOld), content });
  };
  let [a, b] = [0, 0];
  for (const [one, other] of alikeIn(old, young)) {
    put(a, one, b, other);
    const [was, is] = [old[one] as DocumentNode, young[other] as DocumentNode];
    const pos = start + at(offsets, one);
    if (!was.eq(is)) {
      if (was.type !== is.type || changedAttrs(was, is).length > 0) changes.push({ kind: 'node', at: pos, node: is });
      if (!was.isLeaf) compareContent(was, is, pos + 1, changes);
    }
    [a, b] = [one + 1, other + 1];
  }
  put(a, old.length, b, young.length);
}

/** Pairs of blocks that are the same or came from one another, in order. */
function alikeIn(old: readonly DocumentNode[], young: readonly DocumentNode[]): [number, number][] {
  const keys = new Map<string, number>();
  const keyOf = (node: DocumentNode): number => {
    const text = JSON.stringify(node);
    const known = keys.get(text) ?? keys.size;
    keys.set(text, known);
    return known;
  };
  const [oldKeys, newKeys] = [old.map(keyOf), young.map(keyOf)];
  const { start, end } = commonEnds(oldKeys, newKeys);
  const isShort = (old.length - start - end) * (young.length - start - end) <= maxLikenesses;
  const same = isShort ? pairsAtEnds(old.length, young.length, start, end) : commonIn(oldKeys, newKeys);
  const pairs: [number, number][] = [];
  let [a, b] = [0, 0];
  for (const [one, other] of [...same, [old.length, young.length] as const]) {
    for (const [x, y] of likestIn(old.slice(a, one), young.slice(b, other))) pairs.push([a + x, b + y]);
    if (one < old.length || other < young.length) pairs.push([one, other]);
    [a, b] = [one + 1, other + 1];
  }
  return pairs;
}

/** Pairs with the greatest likeness in all, in order. */
function likestIn(old: readonly DocumentNode[], young: readonly DocumentNode[]): [number, number][] {
  if (old.length * young.length > maxLikenesses) return [];
  const [mine, theirs] = [old.map(traitsOf), young.map(traitsOf)];
  const width = young.length + 1;
  const best = new Float64Array((old.length + 1) * width);
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = young.length - 1; b >= 0; b--) {
      const paired = likenessOf(mine[a] as Traits, theirs[b] as Traits) + at(best, (a + 1) * width + b + 1);
      best[a * width + b] = Math.max(paired, at(best, (a + 1) * width + b), at(best, a * width + b + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let [a, b] = [0, 0]; a < old.length && b < young.length;) {
    const here = at(best, a * width + b);
    if (here === at(best, (a + 1) * width + b)) a++;
    else if (here === at(best, a * width + b + 1)) b++;
    else pairs.push([a++, b++]);
  }
  return pairs;
}

/** What a block is known by. */
interface Traits {
  readonly node: DocumentNode;
  /** How often each pair of neighbouring characters stands in it, and how many there are. */
  readonly pairs: ReadonlyMap<string, number>;
  readonly size: number;
}

function traitsOf(node: DocumentNode): Traits {
  const text = ` ${node.isLeaf ? JSON.stringify(node.attrs) : node.textContent} `;
  const pairs = new Map<string, number>();
  for (let no = 1; no < text.length; no++) {
    const pair = text.slice(no - 1, no + 1);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return { node, pairs, size: text.length - 1 };
}

/** From 0, for blocks that cannot come from one another, to 1: by the pairs of characters that both have (Dice's coefficient). */
function likenessOf(one: Traits, other: Traits): number {
  const [{ type, isTextblock }, { type: otherType, isTextblock: isOtherTextblock }] = [one.node, other.node];
  if (type !== otherType && !(isTextblock && isOtherTextblock && type.compatibleContent(otherType))) return 0;
  let common = 0;
  for (const [pair, count] of one.pairs) common += Math.min(count, other.pairs.get(pair) ?? 0);
  return 0.01 + (0.99 * 2 * common) / (one.size + other.size);
}

interface Token {
  readonly key: string;
  readonly size: number;
  readonly marks: readonly Mark[];
}

function compareInline(before: DocumentNode, after: DocumentNode, start: number, changes: DocumentChange[]): void {
  const [old, young] = [tokensOf(before), tokensOf(after)];
  const offsets = offsetsOf(old, ({ size }) => size);
  const newOffsets = offsetsOf(young, ({ size }) => size);
  const put = (fromOld: number, toOld: number, fromNew: number, toNew: number): void => {
    if (fromOld === toOld && fromNew === toNew) return;
    const content = after.content.cut(at(newOffsets, fromNew), at(newOffsets, toNew));
    changes.push({ kind: 'content', from: start + at(offsets, fromOld), to: start + at(offsets, toOld), content });
  };
  let [a, b] = [0, 0];
  let open: { kind: 'marks'; from: number; to: number; marks: readonly Mark[] } | undefined;
  for (const [one, other] of commonIn(
    old.map(({ key }) => key),
    young.map(({ key }) => key),
  )) {
    if (one > a || other > b) open = undefined;
    put(a, one, b, other);
    const { marks } = young[other] as Token;
    const [from, to] = [start + at(offsets, one), start + at(offsets, one + 1)];
    if (sameMarks(marks, (old[one] as Token).marks)) open = undefined;
    else if (open?.to === from && sameMarks(open.marks, marks)) open.to = to;
    else {
      open = { kind: 'marks', from, to, marks };
      changes.push(open);
    }
    [a, b] = [one + 1, other + 1];
  }
  put(a, old.length, b, young.length);
}

function tokensOf(block: DocumentNode): Token[] {
  const tokens: Token[] = [];
  block.forEach((node) => {
    const { text, marks } = node;
    if (text === undefined)
      tokens.push({ key: JSON.stringify([node.type.name, node.attrs]), size: node.nodeSize, marks });
    else for (const character of text) tokens.push({ key: character, size: character.length, marks });
  });
  return tokens;
}

/** The longest common part of two lists: pairs of indexes, in order. */
function commonIn<T>(old: readonly T[], young: readonly T[]): [number, number][] {
  const { start, end } = commonEnds(old, young);
  const pairs = pairsAtEnds(old.length, young.length, start, 0);
  const [rows, columns] = [old.length - start - end, young.length - start - end];
  if (rows * columns <= maxCells) {
    const width = columns + 1;
    const table = new Uint16Array((rows + 1) * width);
    for (let a = rows - 1; a >= 0; a--) {
      for (let b = columns - 1; b >= 0; b--) {
        table[a * width + b] =
          old[start + a] === young[start + b]
            ? at(table, (a + 1) * width + b + 1) + 1
            : Math.max(at(table, (a + 1) * width + b), at(table, a * width + b + 1));
      }
    }
    for (let [a, b] = [0, 0]; a < rows && b < columns;) {
      if (old[start + a] === young[start + b]) pairs.push([start + a++, start + b++]);
      else if (at(table, (a + 1) * width + b) >= at(table, a * width + b + 1)) a++;
      else b++;
    }
  }
  return [...pairs, ...pairsAtEnds(old.length, young.length, 0, end)];
}

function pairsAtEnds(length: number, otherLength: number, start: number, end: number): [number, number][] {
  return [
    ...Array.from({ length: start }, (_, no): [number, number] => [no, no]),
    ...Array.from({ length: end }, (_, no): [number, number] => [length - end + no, otherLength - end + no]),
  ];
}

function commonEnds<T>(one: readonly T[], other: readonly T[]): { readonly start: number; readonly end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return { start, end };
}

/** Where each begins, and where the last one ends. */
function offsetsOf<T>(
  list: readonly T[],
  sizeOf: (item: T) => number = (item) => (item as DocumentNode).nodeSize,
): number[] {
  const offsets = [0];
  for (const item of list) offsets.push(at(offsets, offsets.length - 1) + sizeOf(item));
  return offsets;
}

const at = (list: ArrayLike<number>, index: number): number => list[index] as number;

const changedAttrs = (one: DocumentNode, other: DocumentNode): readonly string[] =>
  Object.keys(other.attrs).filter((name) => !isEqual(one.attrs[name], other.attrs[name]));

const sameMarks = (one: readonly Mark[], other: readonly Mark[]): boolean =>
  one.length === other.length && one.every((mark, no) => mark.eq(other[no] as Mark));

/** Attributes are JSON. */
const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Both did the same. Of words that both put in at the same place, both stay. */
function isSame(one: DocumentChange, other: DocumentChange): boolean {
  if (one.kind !== 'content' || other.kind !== 'content') return false;
  const isInserted = one.from === one.to && one.content.firstChild?.isInline === true;
  return !isInserted && one.from === other.from && one.to === other.to && one.content.eq(other.content);
}
