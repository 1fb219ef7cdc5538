import { fontStack, Palette, TeamStyles } from '../styles/team-styles.js';
import { escaped } from './markup.js';

/** Styles do not change once they are complete. */
const heads = new WeakMap<TeamStyles, string>();

/** Everything before and behind the body. Media queries are for phones and for the dark; an email is complete without them. */
export function frame(
  body: string,
  styles: TeamStyles,
  { lang, dir, preview, darkRules }: { lang: string; dir: string; preview: string; darkRules: readonly string[] },
): string {
  const { background, font } = styles;
  const hidden =
    preview === ''
      ? ''
      : `<div aria-hidden="true" style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all;visibility:hidden">${escaped(preview)}${'&#847;&#8204;&#160;'.repeat(40)}</div>`;
  const own = darkRules.map((rule, no) => `.e-s${no + 1}${rule}`).join('');
  return (
    `<!doctype html><html lang="${escaped(lang)}" dir="${dir}" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head>` +
    '<meta charset="utf-8"><meta http-equiv="X-UA-Compatible" content="IE=edge"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="x-apple-disable-message-reformatting"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">' +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title></title>' +
    `${headOf(styles)}${own === '' ? '' : `<style>@media (prefers-color-scheme:dark){${own}}</style>`}</head>` +
    `<body class="e-p" style="margin:0;padding:0;background-color:${background};-webkit-text-size-adjust:100%">` +
    `${hidden}<div role="article" aria-roledescription="email" lang="${escaped(lang)}" dir="${dir}" style="font-family:${fontStack(font)}">${body}</div></body></html>`
  );
}

function headOf(styles: TeamStyles): string {
  const known = heads.get(styles);
  if (known !== undefined) return known;
  const { width, dark } = styles;
  const sides = Math.min(20, styles.padding);
  const head =
    '<!--[if mso]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml>' +
    '<style>table{border-collapse:collapse}td,th,p,h1,h2,h3,li,a{font-family:Arial,sans-serif;mso-line-height-rule:exactly}</style><![endif]-->' +
    '<style>:root{color-scheme:light dark;supported-color-schemes:light dark}' +
    'table,td{mso-table-lspace:0;mso-table-rspace:0}img{-ms-interpolation-mode:bicubic}' +
    'a[x-apple-data-detectors],#MessageViewBody a{color:inherit!important;text-decoration:inherit!important}' +
    `@media only screen and (max-width:${width + 30}px){.e-c{display:block!important;width:100%!important;max-width:100%!important;box-sizing:border-box!important;padding-left:0!important;padding-right:0!important}` +
    `.e-g{padding-bottom:24px!important}.e-x{padding-left:${sides}px!important;padding-right:${sides}px!important}.e-q{padding-left:0!important;padding-right:0!important}}` +
    `@media (prefers-color-scheme:dark){${darkRulesOf(dark, '')}}` +
    // Outlook on the web and its apps know no media query for the dark, and put these attributes on what they have changed.
    `${darkRulesOf(dark, '[data-ogsc] ')}</style>`;
  heads.set(styles, head);
  return head;
}

function darkRulesOf(dark: Palette, prefix: string): string {
  const rules: readonly (readonly [role: string, declarations: string])[] = [
    ['e-p', `background-color:${dark.background}!important`],
    ['e-k', `background-color:${dark.content}!important`],
    ['e-t', `color:${dark.text}!important`],
    ['e-h', `color:${dark.heading}!important`],
    ['e-m', `color:${dark.muted}!important`],
    ['e-a', `color:${dark.link}!important`],
    ['e-l', `border-color:${dark.line}!important`],
    [
      'e-b',
      `background-color:${dark.button}!important;border-color:${dark.button}!important;color:${dark.buttonText}!important`,
    ],
    ['e-o', `border-color:${dark.link}!important;color:${dark.link}!important`],
  ];
  return rules.map(([role, declarations]) => `${prefix}.${role}{${declarations}}`).join('');
}
