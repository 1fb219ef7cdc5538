import { describe, expect, it } from '@jest/globals';
import type { ShownPreferences } from '../../../application/read-preferences.query.js';
import { textOn } from './page-style.js';
import { languages, pageLanguage, textsOf } from './page-texts.js';
import { invalidLinkPage, preferencePage } from './preference-page.js';

const topic = { id: 'news', name: 'News {address}', description: null, subscription: 'opt_in' as const };
const shown: ShownPreferences = {
  link: { teamId: 'team', topicId: 'news', address: '{team}@sink.test' },
  sender: { name: 'Acme $& {topic}', isOwnName: true, logo: null, accentColor: null },
  unsubscribed: false,
  topics: [topic],
  topic,
};

describe('the preference page', () => {
  it.each(languages)('has all of its texts in %s, with every place filled', (language) => {
    const frame = { language, nonce: 'n' };
    for (const done of [undefined, 'saved', 'leftTopic', 'leftAll', 'back'] as const) {
      const page = preferencePage(shown, done, frame);
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain('<b>Acme $&#38; {topic}</b>');
      expect(page).not.toMatch(/undefined|<script/);
    }
    for (const text of Object.values<string>({ ...textsOf(language) })) expect(text.length).toBeGreaterThan(1);
    for (const place of ['{team}', '{address}']) expect(textsOf(language).intro).toContain(place);
    for (const text of [textsOf(language).leaveTopic, textsOf(language).leftTopic]) expect(text).toContain('{topic}');
    expect(invalidLinkPage(frame)).not.toContain('Acme');
  });

  it('speaks ten languages', () => expect(languages).toHaveLength(10));

  it('offers to leave the topic only to those who have it, and to come back to those who left', () => {
    const frame = { language: 'en', nonce: 'n' };
    expect(preferencePage(shown, undefined, frame)).toContain('value="leave"');
    const left = preferencePage({ ...shown, unsubscribed: true }, undefined, frame);
    expect(left).toContain('value="again"');
    expect(left).not.toMatch(/value="(?:leave|all)"| checked/);
    expect(preferencePage({ ...shown, topics: [], topic: undefined }, undefined, frame)).not.toContain('<fieldset');
  });

  it('has text that can be read on any colour', () => {
    expect([textOn('#ffff00'), textOn('#0f766e'), textOn('#000000'), textOn('#ffffff')]).toEqual([
      '#000',
      '#fff',
      '#fff',
      '#000',
    ]);
  });
});

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['pt-BR', 'pt'],
  ['fr;q=0, de;q=0.1', 'de'],
  ['en;q=x, nl', 'nl'],
  ['sv,da;q=0.9', 'en'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
])('the language for %s is %s', (header, language) => {
  expect(pageLanguage(header)).toBe(language);
});
