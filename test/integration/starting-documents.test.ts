import { expect, it } from '@jest/globals';
import { checksOf } from '../../apps/dashboard/src/logic/document-checks.js';
import { walk, type JsonNode } from '../../apps/dashboard/src/logic/document-json.js';
import { lookOf } from '../../apps/dashboard/src/logic/starting-documents/look.js';
import {
  documentFrom,
  startingDocuments,
  variablesIn,
  withSamples,
} from '../../apps/dashboard/src/logic/starting-documents/starting-documents.js';
import { Illustrations } from '../../libs/editor/src/infrastructure/assets/illustrations/illustrations.js';
import { parseDocument } from '../../libs/editor/src/domain/document/parse-document.js';
import { completeStyles, type GivenStyles } from '../../libs/editor/src/domain/styles/team-styles.js';
import { renderDocument } from '../../libs/editor/src/domain/rendering/render-document.js';

const now = Date.UTC(2027, 0, 1);
const folder = 'https://mail.test/editor/pictures/';
const assets = { social: () => 'https://mail.test/icon.png', countdown: () => 'https://mail.test/countdown.png' };
const teams: readonly GivenStyles[] = [
  {},
  { button: '#0b6b4f', font: 'georgia', width: 480, padding: 16 },
  { content: '#101418', text: '#e0e0e0', heading: '#ffffff', button: '#ffcc00' },
];
const kinds = ['broadcast', 'template'] as const;

it('there are twelve, each with a name of its own', () => {
  expect(new Set(startingDocuments.map(({ id }) => id)).size).toBe(12);
});

it.each(startingDocuments.map((each) => [each.id, each] as const))(
  '%s passes the check unchanged, and is fit to be sent in the styles of any team',
  (_, starting) => {
    for (const given of teams) {
      const styles = completeStyles(given);
      const look = lookOf(styles as never, folder, now);
      for (const kind of kinds) {
        const written = documentFrom(starting, look, kind);
        const { document, notes } = parseDocument(written);
        expect({ document, notes }).toEqual({ document: written, notes: [] });
        const { html, text } = renderDocument(document, { styles, assets, kind });
        expect(parseDocument(JSON.parse(JSON.stringify(document))).document).toEqual(document);
        expect(checksOf(written, { type: kind, htmlBytes: Buffer.byteLength(html), now })).toEqual([]);
        expect(html.includes('{{{RESEND_UNSUBSCRIBE_URL}}}')).toBe(starting.isBulk || kind === 'broadcast');
        expect(text.length).toBeGreaterThan(200);
        expect(withSamples(html, starting.samples)).not.toContain('{{');
      }
    }
  },
);

it('every illustration that they show is one of the service', () => {
  const illustrations = new Illustrations();
  const shown = new Set<string>();
  for (const given of [...teams, { button: '#808080', link: '#777777' }]) {
    const look = lookOf(completeStyles(given) as never, folder, now);
    for (const starting of startingDocuments) {
      walk({ type: 'doc', content: starting.blocks(look) }, ({ attrs }: JsonNode) => {
        for (const value of [attrs?.src, attrs?.image]) if (typeof value === 'string') shown.add(value);
      });
    }
  }
  expect(shown.size).toBeGreaterThan(40);
  for (const address of shown) {
    expect(illustrations.isKnown(address.replace(folder, '').replace(/\.png$/, ''))).toBe(true);
  }
  expect(illustrations.isKnown('hills-blurple')).toBe(false);
});

it('the variables of a subject are defined with their fallbacks', () => {
  expect(variablesIn('Order {{{ORDER_NUMBER|1042}}} of {{{SHOP}}}')).toEqual([
    { key: 'ORDER_NUMBER', type: 'string', fallback_value: '1042' },
    { key: 'SHOP', type: 'string', fallback_value: '' },
  ]);
});
