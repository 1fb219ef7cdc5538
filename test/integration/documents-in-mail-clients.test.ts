import { caniemail } from 'caniemail';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lookOf } from '../../apps/dashboard/src/logic/starting-documents/look.js';
import {
  documentFrom,
  startingDocuments,
} from '../../apps/dashboard/src/logic/starting-documents/starting-documents.js';
import { parseDocument } from '../../libs/editor/src/domain/document/parse-document.js';
import { renderDocument } from '../../libs/editor/src/domain/rendering/render-document.js';
import { completeStyles, type GivenStyles } from '../../libs/editor/src/domain/styles/team-styles.js';
import { anyDocument, everyBlock } from '../support/builders/editor-documents.js';

const clients: Parameters<typeof caniemail>[0]['clients'] = [
  ...(['gmail.desktop-webmail', 'gmail.android', 'gmail.ios', 'apple-mail.ios', 'apple-mail.macos'] as const),
  ...(['outlook.windows', 'outlook.macos', 'outlook.ios', 'outlook.android'] as const),
  ...(['yahoo.desktop-webmail', 'samsung-email.android', 'thunderbird.windows'] as const),
];

/** What a client leaves out, and what its readers see in place of it. */
const fallbacks: Readonly<Record<string, string>> = {
  '@media': 'Outlook on Windows has wide windows only, and shows the layout for them, with the light palette',
  'Attribute selector': 'the dark palette of other Outlooks; the light one is shown',
  '<body> element': 'each row of the layout has the background of the page, too',
  'border-radius': 'square corners; buttons are drawn by VML',
  overflow: 'it cuts what stands beyond round corners',
  'background-image': 'VML draws the picture, and its background color stands below',
  'background-size': 'VML fills the section with the picture',
  'background-position': 'VML puts the picture into the middle',
  'height property': 'Yahoo makes it a minimum, and nothing is larger than its height',
  'word-break': 'words that are too long make the column wider',
  'white-space': 'the element `pre` keeps the lines of code',
  'aria-label attribute': '`title` says the same',
  'Local anchors': 'only a button without a link has one, and the checks of the editor name it',
};
/** `text-transform` and `background-position` are taken for these by the package. */
const misread = { transform: /[;"\s]transform:/, position: /[;"\s]position:/ };

const folder = 'https://mail.test/editor/pictures/';
const assets = { social: () => 'https://mail.test/icon.png', countdown: () => 'https://mail.test/countdown.png' };
const teams: readonly GivenStyles[] = [
  {},
  { button: '#0b6b4f', font: 'georgia', width: 480, padding: 16, corners: 12 },
  { content: '#101418', text: '#e0e0e0', heading: '#ffffff', button: '#ffcc00' },
];

/** 36 documents to begin with, three with every block, and 21 of any kind. */
function corpus(): { readonly name: string; readonly html: string }[] {
  const any = fc.sample(anyDocument(), { numRuns: 7, seed: 7 });
  return teams.flatMap((given, no) => {
    const styles = completeStyles(given);
    const look = lookOf(styles as never, folder, Date.UTC(2027, 0, 1));
    const documents = [
      ...startingDocuments.map((each) => ({ name: each.id, content: documentFrom(each, look, 'broadcast') })),
      { name: 'every block', content: everyBlock() as object },
      ...any.map((content, index) => ({ name: `random ${index}`, content })),
    ];
    return documents.map(({ name, content }) => {
      const { document } = parseDocument(content);
      return {
        name: `${name}, team ${no}`,
        html: renderDocument(document, { styles, assets, kind: 'broadcast' }).html,
      };
    });
  });
}

it('what the commonest mail clients leave out of sixty documents has a fallback', () => {
  const documents = corpus();
  expect(documents).toHaveLength(60);
  const found = new Map<string, string[]>();
  for (const { name, html } of documents) {
    expect(Object.values(misread).filter((form) => form.test(html))).toEqual([]);
    const { issues } = caniemail({ clients, html });
    for (const [client, missing] of issues.errors) {
      for (const { title } of missing) found.set(title, [...(found.get(title) ?? []), `${client}: ${name}`]);
    }
  }
  const without = [...found].filter(([title]) => !(title in fallbacks) && !(title in misread));
  expect(without.map(([title, places]) => `${title}, ${places[0]}`)).toEqual([]);
  expect(Object.keys(fallbacks).filter((title) => !found.has(title))).toEqual([]);
});

it('none of them is so long that Gmail cuts it off', () => {
  for (const { name, html } of corpus()) {
    expect({ name, isCut: Buffer.byteLength(html) >= 102_000 }).toEqual({ name, isCut: false });
  }
});
