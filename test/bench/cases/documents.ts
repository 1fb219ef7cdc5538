import { MergeTemplate, mergeValues } from '#kernel';
import { parseDocument } from '../../../libs/editor/src/domain/document/parse-document.js';
import { renderDocument, RenderOptions } from '../../../libs/editor/src/domain/rendering/render-document.js';
import { completeStyles } from '../../../libs/editor/src/domain/styles/team-styles.js';
import { documentOf, everyBlock } from '../../support/builders/editor-documents.js';
import { BenchCase, Measurement } from '../bench-case.js';

const blocks = 40;
const forMs = 3_000;
const address = 'https://mail.acme.test/editor';
const assets: RenderOptions['assets'] = {
  social: (network, look) => `${address}/icons/${network}-${look}.png`,
  countdown: ({ until }) => `${address}/countdown/${encodeURIComponent(until)}.png`,
};

/** How many documents of the editor one core renders, and for how many recipients it fills one with values. */
export const documentsCase: BenchCase = {
  name: 'documents',
  open: async () => {
    const all = Array.from({ length: 2 }, () => everyBlock().content).flat();
    const { document } = parseDocument(documentOf(...all.slice(0, blocks)));
    const options: RenderOptions = { styles: completeStyles({}), assets, kind: 'broadcast' };
    const values = mergeValues({ first_name: 'Ada', plan: 'pro' });
    const { html } = renderDocument(document, options);
    const template = new MergeTemplate(html, 'html');
    const name = `document of ${blocks} blocks (${Math.round(html.length / 1000)} KB of HTML)`;
    return {
      measure: async () => [
        perSecond(`${name}: rendered and filled with values`, () =>
          new MergeTemplate(renderDocument(document, options).html, 'html').render(values),
        ),
        perSecond(`${name}: filled with values of one recipient`, () => template.render(values)),
      ],
      close: async () => undefined,
    };
  },
};

function perSecond(name: string, act: () => string): Measurement {
  // Joined strings are whole only once somebody reads them.
  const read = (): number => Buffer.byteLength(act());
  for (let warm = 0; warm < 500; warm++) read();
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < forMs) {
    read();
    count++;
  }
  return { name, value: (count * 1000) / (performance.now() - started), unit: '/s' };
}
