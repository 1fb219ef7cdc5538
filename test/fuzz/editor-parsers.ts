import { parseContentRef } from '../../libs/editor/src/domain/content.js';
import { readAttributes, rule, text as textAttribute } from '../../libs/editor/src/domain/document/attribute.js';
import { parseDocument } from '../../libs/editor/src/domain/document/parse-document.js';
import { parseSectionName } from '../../libs/editor/src/domain/saved-section.js';
import { parseStyles } from '../../libs/editor/src/domain/styles/team-styles.js';
import { documentBytes } from '../../libs/editor/src/infrastructure/composing/document-bytes.js';
import { parse as importedFrom } from '../../libs/editor/src/infrastructure/composing/import.parser.js';
import { parse } from '../../libs/editor/src/infrastructure/composing/document.parser.js';
import {
  decodeConnection,
  decodeContent,
  decodeImport,
  decodeRendering,
  decodeStyles,
} from '../../libs/editor/src/infrastructure/http/editor.request.js';
import {
  decodeApplication,
  decodeSection,
  decodeSectionChanges,
} from '../../libs/editor/src/infrastructure/http/sections.request.js';
import { parseBody, plainJson } from '../../libs/http/src/server/body/parse-body.js';
import { bytesOf, each, RemoteParser } from './remote-parser.js';

const id = '01890000-0000-7000-8000-000000000001';
const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Hello {{{FIRST_NAME|there}}}' }] };
const withText = (text: string): unknown => ({
  type: 'doc',
  content: [{ type: 'paragraph', attrs: { style: text }, content: [{ type: 'text', text }] }],
});

export const editorParsers: readonly RemoteParser[] = [
  {
    name: 'texts of documents',
    covers: [
      ...['parseStyles', 'parseContentRef', 'readAttributes', 'decodeConnection', 'decodeStyles'],
      ...['parseSectionName', 'decodeSection', 'decodeSectionChanges', 'decodeApplication'],
      ...['decodeImport', 'parse of editor/import.parser.ts'],
    ],
    pieces: ['<', '>', '"', ';', ':', 'style="', '{{{', '}}}', '/*', '<p '],
    more: ['&', '|', '<!--', 'url(', '</', '#', 'rgb(', '\0', 'é'],
    examples: [
      'color: red; font-size: 12px',
      '<p style="color:red">Hello <b>there</b></p>',
      'Hello {{{FIRST_NAME|there}}}',
      'https://example.com/?a={{{contact.id}}}',
      'rgb(1, 2, 3)',
      id,
    ],
    parse: (text) =>
      each(
        () => parseContentRef({ resource_type: 'template', resource_id: text }),
        () => parseStyles({ button: text, address: text, logo: text, width: text, dark: { text } }),
        () =>
          readAttributes(
            { text: textAttribute(), rule },
            { text, rule: { type: 'rule', field: text } },
            () => undefined,
          ),
        () => decodeConnection({ resource_type: 'template', resource_id: text, agent_name: text, client_id: text }),
        () => decodeStyles({ styles: { company: text } }),
        () => parseSectionName(text),
        () => decodeImport({ html: text }),
        () => importedFrom(bytesOf(text), 'html'),
        () => decodeSection({ name: text, content: text }),
        () => decodeSectionChanges({ name: text, content: text }),
        () => decodeApplication({ after: text }),
        () => parseDocument(withText(text)),
        () => parseDocument({ type: 'doc', content: [{ type: 'html', attrs: { html: text } }] }),
        () =>
          parseDocument({ type: 'doc', content: [{ type: 'image', attrs: { src: text, width: text, href: text } }] }),
      ),
  },
  {
    name: 'MJML',
    covers: [],
    pieces: [
      '<mj-section>',
      '<mj-column>',
      '<mj-text>',
      '</mj-text>',
      '<mj-raw>{{#if a exists}}</mj-raw>',
      '<mj-image ',
    ],
    more: [
      '/>',
      '"',
      '<mj-class name="',
      'mj-class="',
      '{{/if}}',
      '<mj-social-element ',
      '<!',
      '&',
      '<mj-table><tr><td>',
    ],
    examples: [
      '<mjml><mj-head><mj-attributes><mj-all padding="0" /><mj-class name="a" color="red" /></mj-attributes></mj-head>' +
        '<mj-body><mj-section><mj-column><mj-text mj-class="a">Hello <b>there</b></mj-text></mj-column></mj-section></mj-body></mjml>',
    ],
    parse: (text) => importedFrom(bytesOf(text), 'mjml'),
  },
  {
    name: 'document',
    covers: ['parseDocument', 'parse of editor/document.parser.ts', 'decodeContent', 'decodeRendering'],
    pieces: ['{', '}', '[', ']', '"', ':', ',', '{"type":"paragraph"}', '{"type":"text","text":"a"}', '"content":['],
    examples: [
      JSON.stringify({ resource_type: 'broadcast', resource_id: id, content: { type: 'doc', content: [paragraph] } }),
      JSON.stringify({ type: 'doc', content: [paragraph, paragraph] }),
    ],
    parse: (text) => {
      const body = parseBody(bytesOf(text), plainJson);
      each(
        () => decodeContent(body),
        () => decodeRendering(body),
        () => parseDocument(body),
        () => parseDocument((body as { content?: unknown } | undefined)?.content),
        () =>
          parse(documentBytes(body), {
            kind: 'broadcast',
            styles: {},
            assets: { base: 'https://x.test', countdownKey: 'x' },
          }),
      );
    },
  },
];
