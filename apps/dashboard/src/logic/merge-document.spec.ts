import { describe, expect, it } from '@jest/globals';
import { Schema, type Node } from '@tiptap/pm/model';
import { Transform } from '@tiptap/pm/transform';
import fc from 'fast-check';
import { changesBetween, distanceBetween, mergeInto } from './merge-document.js';

const schema = new Schema({
  nodes: {
    doc: { content: 'block*', attrs: { lang: { default: null } } },
    paragraph: { content: 'inline*', group: 'block', attrs: { alignment: { default: null } } },
    heading: { content: 'inline*', group: 'block', attrs: { level: { default: 1 } } },
    section: { content: 'block+', group: 'block', attrs: { background: { default: null }, color: { default: null } } },
    image: { group: 'block', attrs: { src: { default: '' } } },
    variable: { group: 'inline', inline: true, attrs: { name: { default: '' } } },
    text: { group: 'inline' },
  },
  marks: { bold: {}, italic: {} },
});
const { paragraph, heading, section, image, variable } = schema.nodes;
const words = (text: string, ...marks: string[]): Node =>
  schema.text(
    text,
    marks.map((name) => schema.mark(name)),
  );
const p = (...content: (string | Node)[]): Node =>
  paragraph.create(
    null,
    content.filter((each) => each !== '').map((each) => (typeof each === 'string' ? words(each) : each)),
  );
const h = (text: string, level = 1): Node => heading.create({ level }, words(text));
const box = (attrs: object, ...content: Node[]): Node => section.create(attrs, content);
const picture = (src: string): Node => image.create({ src });
const name = (of: string): Node => variable.create({ name: of });
const doc = (...content: Node[]): Node => schema.node('doc', null, content);

function merged(base: Node, mine: Node, theirs: Node): Node {
  const tr = new Transform(mine);
  mergeInto(tr, base, theirs);
  tr.doc.check();
  return tr.doc;
}

describe('what two people wrote at once', () => {
  it.each<[string, Node, Node, Node, Node]>([
    [
      'in different blocks',
      doc(h('News'), p('One'), p('Two')),
      doc(h('News today'), p('One'), p('Two')),
      doc(h('News'), p('One'), p('Two and more')),
      doc(h('News today'), p('One'), p('Two and more')),
    ],
    [
      'around what the other one writes',
      doc(p('the boats are back')),
      doc(p('the red boats are back')),
      doc(p('Today the boats are back.')),
      doc(p('Today the red boats are back.')),
    ],
    ['at the same place', doc(p('a')), doc(p('ab')), doc(p('ab')), doc(p('abb'))],
    [
      'a block before one that was changed',
      doc(p('One'), p('Two')),
      doc(p('One'), p('Two, too')),
      doc(p('One'), picture('a.png'), p('Two')),
      doc(p('One'), picture('a.png'), p('Two, too')),
    ],
    [
      'in a block that was removed',
      doc(p('One'), p('Two'), p('Three')),
      doc(p('One'), p('Two, too'), p('Three')),
      doc(p('One'), p('Three')),
      doc(p('One'), p('Two, too'), p('Three')),
    ],
    [
      'the same',
      doc(p('One')),
      doc(p('One'), picture('a.png')),
      doc(p('One'), picture('a.png')),
      doc(p('One'), picture('a.png')),
    ],
    ['removing the same', doc(p('One'), p('Two')), doc(p('One')), doc(p('One')), doc(p('One'))],
    [
      'different attributes of a block',
      doc(box({}, p('In'))),
      doc(box({ color: 'red' }, p('In'))),
      doc(box({ background: 'blue' }, p('Inside'))),
      doc(box({ color: 'red', background: 'blue' }, p('Inside'))),
    ],
    [
      'the same attribute: the own stays',
      doc(box({ color: 'black' }, p('In'))),
      doc(box({ color: 'red' }, p('In'))),
      doc(box({ color: 'blue' }, p('In'))),
      doc(box({ color: 'red' }, p('In'))),
    ],
    [
      'words, and how they look',
      doc(p('Sail with us')),
      doc(p('Sail away with us')),
      doc(p(words('Sail', 'bold'), ' with us')),
      doc(p(words('Sail', 'bold'), ' away with us')),
    ],
    [
      'a paragraph that became a heading',
      doc(p('Harbour news'), p('x')),
      doc(p('Harbour news'), p('xy')),
      doc(h('Harbour news', 2), p('x')),
      doc(h('Harbour news', 2), p('xy')),
    ],
    [
      'beside a variable',
      doc(p('Dear ', name('first'), ',')),
      doc(p('Dear ', name('first'), ', hello')),
      doc(p('My dear ', name('last'), ',')),
      doc(p('My dear ', name('last'), ', hello')),
    ],
  ])('%s', (_, base, mine, theirs, expected) => {
    expect(merged(base, mine, theirs).toJSON()).toEqual(expected.toJSON());
  });

  it('the language of the document', () => {
    const base = doc(p('One'));
    const theirs = schema.node('doc', { lang: 'de' }, [p('Eins')]);
    expect(merged(base, base, theirs).toJSON()).toEqual(theirs.toJSON());
  });
});

const inline = fc.oneof(
  fc
    .tuple(fc.constantFrom('boats', 'a', 'harbour news', '👋🏽', 'the the'), fc.subarray(['bold', 'italic']))
    .map(([text, marks]) => words(text, ...marks)),
  fc.constantFrom('first', 'last').map(name),
);
const block: fc.Arbitrary<Node> = fc.letrec<{ block: Node }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small' },
    fc.array(inline, { maxLength: 4 }).map((content) => p(...content)),
    fc.constantFrom('News', 'Boats').map((text) => h(text)),
    fc.constantFrom('a.png', 'b.png').map(picture),
    fc
      .tuple(fc.constantFrom(null, 'red'), fc.array(tie('block'), { minLength: 1, maxLength: 3 }))
      .map(([color, content]) => box({ color }, ...content)),
  ),
})).block;
const anyDocument = fc.array(block, { maxLength: 6 }).map((content) => doc(...content));

describe('documents of any kind', () => {
  it('become what the others made of them if nothing was changed here, and stay if only here was', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, (base, other) => {
        expect(merged(base, base, other).toJSON()).toEqual(other.toJSON());
        expect(merged(base, other, base).toJSON()).toEqual(other.toJSON());
        expect(distanceBetween(base, other) === 0).toBe(base.eq(other));
      }),
      { numRuns: 200 },
    );
  });

  it('keep every sign that either side put in', () => {
    const typed = (base: Node, places: readonly number[], sign: string): Node => {
      const tr = new Transform(base);
      for (const place of places) {
        const at = place % (tr.doc.content.size + 1);
        const { parent, nodeBefore, nodeAfter } = tr.doc.resolve(at);
        const isWithinSign =
          /[\ud800-\udbff]$/.test(nodeBefore?.text ?? '') && /^[\udc00-\udfff]/.test(nodeAfter?.text ?? '');
        if (parent.inlineContent && !isWithinSign) tr.insert(at, words(sign));
      }
      return tr.doc;
    };
    const count = ({ textContent }: Node, sign: string): number => textContent.split(sign).length - 1;
    const places = fc.array(fc.nat(200), { maxLength: 12 });
    fc.assert(
      fc.property(anyDocument, places, places, (base, one, other) => {
        const [mine, theirs] = [typed(base, one, '1'), typed(base, other, '2')];
        const whole = merged(base, mine, theirs);
        expect([count(whole, '1'), count(whole, '2')]).toEqual([count(mine, '1'), count(theirs, '2')]);
        expect(whole.textContent.replaceAll(/[12]/g, '')).toBe(base.textContent);
      }),
      { numRuns: 200 },
    );
  });

  it('are never broken by what both sides did', () => {
    fc.assert(
      fc.property(anyDocument, anyDocument, anyDocument, (base, mine, theirs) => {
        merged(base, mine, theirs);
      }),
      { numRuns: 200 },
    );
  });

  it('are compared quickly, also long ones', () => {
    const long = doc(...Array.from({ length: 2_000 }, (_, no) => p(`Paragraph ${no} of a long letter`)));
    const other = doc(...long.children.flatMap((each, no) => (no % 50 === 0 ? [p('New'), each] : [each])));
    expect(changesBetween(long, other)).toHaveLength(40);
  });
});
