import type { TopicPreference } from '#audience';
import { escapedHtml } from '#kernel';
import { ShownPreferences } from '../../../application/read-preferences.query.js';
import type { SenderProfile } from '../../../domain/sender-profile.js';
import { pageStyle } from './page-style.js';
import { PageTexts, textsOf } from './page-texts.js';

/** What has just been done, which the page says above everything else. */
export type Done = 'saved' | 'leftTopic' | 'leftAll' | 'back';

export interface PageFrame {
  readonly language: string;
  /** Of the Content-Security-Policy, for the one style of the page. */
  readonly nonce: string;
}

const defaultAccent = '#3b5bdb';

/**
 * The preference page. It works without scripts: each button sends a form to the address of the page itself. All texts
 * of teams and recipients are escaped.
 */
export function preferencePage(shown: ShownPreferences, done: Done | undefined, frame: PageFrame): string {
  const { link, sender, unsubscribed, topics, topic } = shown;
  const texts = textsOf(frame.language);
  const filled = (text: string): string =>
    escapedHtml(text).replace(/\{(team|address|topic)\}/g, (_, name: string) =>
      name === 'team'
        ? strong(sender.name)
        : name === 'address'
          ? strong(link.address)
          : escapedHtml(topic?.name ?? ''),
    );
  const isSubscribedToTopic = topic?.subscription === 'opt_in' && !unsubscribed;
  const parts = [
    done === undefined ? '' : `<p class="done" role="status">${filled(texts[done])}</p>`,
    done === 'leftTopic' ? form('again', 'plain undo', escapedHtml(texts.resubscribe)) : '',
    `<h1>${escapedHtml(texts.title)}</h1><p class="soft">${filled(texts.intro)}</p>`,
    isSubscribedToTopic
      ? section(`<p>${filled(texts.about)}</p>${form('leave', 'primary', filled(texts.leaveTopic))}`)
      : '',
    topics.length === 0 ? '' : section(topicsForm(topics, unsubscribed, texts)),
    section(unsubscribed ? allLeft(texts) : leaveAll(texts, topics.length === 0)),
  ];
  return document(sender, texts.title, parts.join(''), frame);
}

/** Says that a link is not valid, without telling anything of any team. */
export function invalidLinkPage(frame: PageFrame): string {
  const texts = textsOf(frame.language);
  const body = `<h1>${escapedHtml(texts.invalidTitle)}</h1><p class="soft">${escapedHtml(texts.invalidText)}</p>`;
  return document(undefined, texts.invalidTitle, body, frame);
}

/** The names are short, so that the form of 200 topics is small enough for a request without an API key. */
function topicsForm(topics: readonly TopicPreference[], unsubscribed: boolean, texts: PageTexts): string {
  const rows = topics.map(({ id, name, description, subscription }) => {
    const checked = subscription === 'opt_in' && !unsubscribed ? ' checked' : '';
    const about = description === null ? '' : `<span class="soft small">${escapedHtml(description)}</span>`;
    return `<input type="hidden" name="s" value="${id}"><label class="topic"><span><b>${escapedHtml(name)}</b>${about}</span><input type="checkbox" name="t" value="${id}"${checked}></label>`;
  });
  return `<form method="post"><fieldset><legend>${escapedHtml(texts.topics)}</legend>${rows.join('')}</fieldset><button class="primary" name="action" value="save">${escapedHtml(texts.save)}</button></form>`;
}

function leaveAll(texts: PageTexts, isOnly: boolean): string {
  const button = form('all', isOnly ? 'primary' : 'plain', escapedHtml(texts.leaveAll));
  return `<h2>${escapedHtml(texts.all)}</h2><p class="soft small">${escapedHtml(texts.allHint)}</p>${button}`;
}

function allLeft(texts: PageTexts): string {
  return `<h2>${escapedHtml(texts.leftAll)}</h2><p class="soft small">${escapedHtml(texts.allHint)}</p>${form('again', 'primary', escapedHtml(texts.resubscribe))}`;
}

function form(action: string, look: 'primary' | 'plain' | 'plain undo', label: string): string {
  return `<form method="post"><button class="${look}" name="action" value="${action}">${label}</button></form>`;
}

function section(content: string): string {
  return `<section>${content}</section>`;
}

function strong(text: string): string {
  return `<b>${escapedHtml(text)}</b>`;
}

function document(sender: SenderProfile | undefined, title: string, content: string, frame: PageFrame): string {
  const heading = sender === undefined ? title : `${title} – ${sender.name}`;
  return `<!doctype html>
<html lang="${frame.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escapedHtml(heading)}</title>
<style nonce="${frame.nonce}">${pageStyle(sender?.accentColor ?? defaultAccent)}</style></head>
<body><main>${sender === undefined ? '' : masthead(sender)}<div class="card">${content}</div></main></body></html>`;
}

function masthead({ name, logo }: SenderProfile): string {
  const initial = escapedHtml([...name.trim()][0]?.toUpperCase() ?? '·');
  const picture =
    logo === null
      ? `<span class="mark" aria-hidden="true">${initial}</span>`
      : `<img class="logo" alt="" src="data:${logo.contentType};base64,${Buffer.from(logo.bytes).toString('base64')}">`;
  return `<header>${picture}<span class="team">${escapedHtml(name)}</span></header>`;
}
