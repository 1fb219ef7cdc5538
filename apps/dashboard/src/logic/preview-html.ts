/** How a rendered email is looked at. */
export type PreviewMode = 'desktop' | 'phone' | 'dark' | 'images' | 'text';

/**
 * The html as a mail program would show it: in the light or the dark whatever the browser prefers, or without images. Images of this
 * service are loaded from where the page is.
 */
export function previewHtml(html: string, mode: PreviewMode, ownHosts: readonly string[] = []): string {
  const scheme = mode === 'dark' ? '@media all{' : '@media not all{';
  const fixed = html.replaceAll('@media (prefers-color-scheme:dark){', scheme);
  const own = fixed.replace(/https?:\/\/[\w.:-]{1,253}(?=\/(?:i|editor\/(?:icons|countdown|pictures))\/)/g, (host) =>
    ownHosts.length === 0 || ownHosts.includes(host) ? '' : host,
  );
  // The policy holds in the frame: alternative texts show as they do where images are off.
  return mode === 'images' ? `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">${own}` : own;
}

/** How much of a subject and of the text behind it common lists of mail programs show, in characters. */
export const listWidths = { desktop: 70, phone: 38, behindOnPhone: 85, behindOnDesktop: 100 } as const;

/** What stands in a list: the subject whole or cut, and as much of the preview text as there is room for. */
export function inList(subject: string, preview: string, isPhone: boolean): { subject: string; preview: string } {
  const width = isPhone ? listWidths.phone : listWidths.desktop;
  const shown = cut(subject, width);
  const room = isPhone ? listWidths.behindOnPhone : Math.max(0, listWidths.behindOnDesktop - shown.length);
  return { subject: shown, preview: cut(preview, room) };
}

function cut(text: string, length: number): string {
  const signs = [...text];
  return signs.length <= length
    ? text
    : `${signs
        .slice(0, Math.max(0, length - 1))
        .join('')
        .trimEnd()}…`;
}

/** Bytes from which Gmail cuts an email off. */
export const clippedBytes = 102 * 1024;
