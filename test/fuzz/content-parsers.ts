import { checkTagCount, MergeTemplate } from '#kernel';
import { SecretBox } from '#platform/secrets';
import { publishedTemplate, templateValues } from '#templates';
import { changedContent, parseAlias, parseName } from '../../libs/templates/src/domain/template-content.js';
import { parseVariables } from '../../libs/templates/src/domain/template-variable.js';
import { parseAccentColor, parseLogo, parseProfileName } from '../../libs/unsubscribe/src/domain/sender-profile.js';
import { HeaderSubjects } from '../../libs/unsubscribe/src/infrastructure/mime/header-subjects.js';
import { SignedUnsubscribeTokens } from '../../libs/unsubscribe/src/infrastructure/tokens/signed-unsubscribe-tokens.js';
import { bytesOf, RemoteParser } from './remote-parser.js';
import { pageLanguage } from '../../libs/unsubscribe/src/infrastructure/http/page/page-texts.js';

const now = new Date('2026-11-21T10:00:00Z');
const id = '019a0000-0000-7000-8000-000000000000';
const ids = { id, versionId: id, teamId: id };
const tokens = new SignedUnsubscribeTokens(new SecretBox('ab'.repeat(32)));
const link = { teamId: id, topicId: id, address: 'ada@sink.test' };

export const contentParsers: readonly RemoteParser[] = [
  {
    name: 'template',
    covers: ['parseVariables', 'parseName', 'parseAlias', 'checkTagCount'],
    pieces: ['{', '}', '{{', '{{{', '}}}', '|', ' ', 'NAME', '.', '\n'],
    examples: ['<p>{{{ NAME |there}}} {{NAME}} {{{contact.x}}}</p>'],
    parse: (text) => {
      const variables = [{ key: 'NAME', type: 'string', fallbackValue: text.slice(0, 2_000) }];
      const template = new MergeTemplate(text, 'html');
      checkTagCount('html', text);
      template.render({ name: { value: text.slice(0, 20), markup: true } });
      const before = changedContent({ html: '', variables }, undefined, now);
      const content = changedContent({ html: text, text, subject: text.slice(0, 900) }, before, now);
      templateValues(publishedTemplate(ids, content), { NAME: text.slice(0, 2_000) });
    },
  },
  {
    name: 'names and keys of a template',
    covers: ['parseVariables', 'parseName', 'parseAlias', 'parseProfileName', 'parseAccentColor', 'parseLogo'],
    pieces: ['a', '-', '_', '0', '#', ' ', '\0', 'é', '.', '\x89PNG\r\n'],
    examples: ['order-shipped', '#0f766e'],
    parse: (text) => {
      for (const read of [
        () => parseAlias(text),
        () => parseName(text),
        () => parseProfileName(text),
        () => parseAccentColor(text),
        () => parseLogo(bytesOf(text)),
      ]) {
        try {
          read();
        } catch {
          // Each of them may refuse the text.
        }
      }
      parseVariables([{ key: text, type: text, fallbackValue: text }], [], now);
    },
  },
  {
    name: 'link to unsubscribe',
    covers: [],
    pieces: ['A', '_', '-', '=', '+', 'z', '9', ' ', '/', '\0'],
    examples: [tokens.of(link), tokens.of({ ...link, topicId: null }), tokens.mailboxOf(id)],
    parse: (text) => [tokens.read(text), tokens.teamOf(text)],
  },
  {
    name: 'mail that unsubscribes, and the languages of a reader',
    covers: [],
    pieces: ['Subject:', ' ', '\r\n', '=?utf-8?q?', '?=', ',', ';q=', 'de', '0.', ':'],
    examples: [`Subject: Re: unsubscribe ${tokens.of(link)}\r\n\r\n`, 'de-CH,de;q=0.9,en;q=0.8'],
    parse: (text) => [new HeaderSubjects().of(bytesOf(text)), pageLanguage(text)],
  },
];
