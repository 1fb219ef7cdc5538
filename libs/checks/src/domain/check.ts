import { Source, Verdict } from './finding.js';
import { CheckedMessage } from './message-facts.js';

/** One rule of good mail. */
export interface Check {
  readonly id: string;
  readonly source: Source;
  of(checked: CheckedMessage): Verdict;
}

const rfc = (number: number, section: string, name: string): Source => ({
  title: `RFC ${number} section ${section}: ${name}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

export const sources = {
  rfc,
  gmail: { title: 'Google: Email sender guidelines', url: 'https://support.google.com/a/answer/81126' },
  gmailBlocked: { title: 'Google: File types blocked in Gmail', url: 'https://support.google.com/mail/answer/6590' },
  yahoo: { title: 'Yahoo: Sender best practices', url: 'https://senders.yahooinc.com/best-practices/' },
  m3aawg: {
    title: 'M3AAWG: Sender Best Common Practices',
    url: 'https://www.m3aawg.org/documents/en/m3aawg-senders-best-common-practices',
  },
  bimi: { title: 'BIMI Group: Implementation guide', url: 'https://bimigroup.org/implementation-guide/' },
  keyRotation: {
    title: 'M3AAWG: DKIM Key Rotation Best Common Practices',
    url: 'https://www.m3aawg.org/DKIMKeyRotation',
  },
  wcagImages: {
    title: 'WCAG 2.2: Non-text content',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content',
  },
  wcagContrast: {
    title: 'WCAG 2.2: Contrast (minimum)',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum',
  },
  canIEmail: { title: 'Can I email: Features', url: 'https://www.caniemail.com/features/' },
  canIEmailDark: {
    title: 'Can I email: prefers-color-scheme',
    url: 'https://www.caniemail.com/features/css-at-media-prefers-color-scheme/',
  },
  unicode: {
    title: 'Unicode Technical Standard 39: Security mechanisms',
    url: 'https://www.unicode.org/reports/tr39/',
  },
} as const;
