import { describe, expect, it } from '@jest/globals';
import { Mailbox, parseMailbox } from '#kernel';
import { composeMessage } from '#mime';
import { MessageFacts } from '../../domain/message-facts.js';
import { parse } from './message-facts.parser.js';

const mailbox = (text: string): Mailbox => parseMailbox(text) as Mailbox;

async function factsOf(html: string, more: Partial<Parameters<typeof composeMessage>[0]> = {}): Promise<MessageFacts> {
  const bytes = composeMessage({
    from: mailbox('hello@acme.example'),
    to: [mailbox('ada@customer.example')],
    subject: 'Grüße',
    date: new Date('2026-11-24T08:00:00Z'),
    messageId: '<1@acme.example>',
    headers: [],
    html,
    ...more,
  });
  const facts = await parse(bytes, { keys: new Map() });
  if ('unreadable' in facts) throw new Error(facts.unreadable);
  return facts;
}

describe('the facts of a message', () => {
  it('are the links with what they show, and where they lead', async () => {
    const { html } = await factsOf(
      `<a href="https://links.acme.example/1?a=1&amp;b=2">www.<b>bank.com</b></a><a href='http://192.0.2.1/'>Read README.md</a>` +
        `<a href="https://xn--cme-5cd.example/">README.md</a><a href="mailto:a@b.c">mail</a><!-- <a href="https://no.test">x</a> -->`,
    );
    expect(html?.linkCount).toBe(3);
    expect(html?.links).toEqual([
      {
        url: 'https://links.acme.example/1?a=1&b=2',
        host: 'links.acme.example',
        site: 'acme.example',
        isIpAddress: false,
        text: 'www.bank.com',
        shownSite: 'bank.com',
      },
      {
        url: 'http://192.0.2.1/',
        host: '192.0.2.1',
        site: '192.0.2.1',
        isIpAddress: true,
        text: 'Read README.md',
        shownSite: null,
      },
      {
        url: 'https://xn--cme-5cd.example/',
        host: 'аcme.example',
        site: 'xn--cme-5cd.example',
        isIpAddress: false,
        text: 'README.md',
        shownSite: null,
      },
    ]);
  });

  it('are the images, the styles and what is active', async () => {
    const { html, files } = await factsOf(
      `<style>p{color:red}</style><p style="margin:0">Hi</p><img src="cid:logo" alt=""><img src="https://a.test/x.png"><form></form>`,
      {
        attachments: [
          { filename: 'logo.png', contentType: 'image/png', contentId: 'logo', content: Buffer.from('png') },
          { filename: 'a.pdf', contentType: 'application/pdf', contentId: undefined, content: Buffer.from('pdf!') },
        ],
      },
    );
    expect(html).toMatchObject({
      images: [
        { source: 'cid:logo', alt: '' },
        { source: 'https://a.test/x.png', alt: null },
      ],
      imageCount: 2,
      styleBytes: 'p{color:red}'.length + 'margin:0'.length,
      activeElements: ['form'],
    });
    expect(files).toEqual([
      { filename: 'logo.png', contentType: 'image/png', isInline: true, size: 3 },
      { filename: 'a.pdf', contentType: 'application/pdf', isInline: false, size: 4 },
    ]);
  });

  it('are the decoded header, the preview with hidden text, and the text that is shown', async () => {
    const { fields, html, text, longestLine } = await factsOf(
      '<div style="display:none">Soon&#8203;&zwnj; there</div><p>Hello &amp; welcome</p>',
      { text: 'Hello' },
    );
    expect(fields.find(({ name }) => name === 'subject')?.value).toBe('Grüße');
    expect(html?.preview).toBe('Soon thereHello & welcome');
    expect(html?.text.trim()).toBe('Hello & welcome');
    expect(text?.trim()).toBe('Hello');
    expect(longestLine).toBeLessThan(200);
  });

  it.each<[string, string]>([
    ['links', '<a href="https://acme.example/x">x</a>'.repeat(100_000)],
    ['open elements', '<div><a href="https://a.test">'.repeat(100_000)],
    ['styles without an end', '<style>'.repeat(200_000)],
    ['attributes', `<p ${'style="a" '.repeat(200_000)}>`],
    ['a text of one word', `<a href="https://a.test/">${'a.'.repeat(1_000_000)}</a>`],
    ['entities', '&amp;'.repeat(400_000)],
    ['images', '<img src="data:image/png;base64,AAAA">'.repeat(50_000)],
  ])(
    'are read in linear time from many %s',
    async (_, html) => {
      const facts = await factsOf(html, { text: 'x' });
      expect(facts.html?.links.length).toBeLessThanOrEqual(500);
      expect(JSON.stringify(facts).length).toBeLessThan(1_500_000);
    },
    20_000,
  );
});
