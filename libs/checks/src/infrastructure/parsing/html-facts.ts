import { domainToUnicode } from 'node:url';
import { parse as parseHost } from 'tldts';
import { attributeOf, decodeHTML, decodeHTMLAttribute, htmlToText, scanHtml } from '#mime';
import type { HtmlVisitor } from '#mime';
import { StyleReader } from './style-facts.js';
import type { HtmlFacts, ImageFacts, LinkFacts } from '../../domain/message-facts.js';

/** Links and images that are looked at; more are counted. */
const maxListed = 500;
const maxTextLength = 20_000;
const maxPreviewLength = 300;
const maxLinkText = 200;
const maxUrlLength = 2_000;

const active = new Set(['script', 'form', 'iframe', 'object', 'embed', 'applet', 'frame']);

/** Takes linear time for any input. */
export function htmlFactsOf(html: string, bytes: number): HtmlFacts {
  const reader = new FactReader(html);
  scanHtml(html, reader);
  return { bytes, text: htmlToText(html).slice(0, maxTextLength), ...reader.facts() };
}

class FactReader implements HtmlVisitor {
  private readonly styles = new StyleReader();
  private readonly links: LinkFacts[] = [];
  private linkCount = 0;
  private readonly images: ImageFacts[] = [];
  private imageCount = 0;
  private styleBytes = 0;
  private styleStart: number | undefined;
  private preview = '';
  private readonly activeElements = new Set<string>();
  private link: { readonly url: URL; text: string } | undefined;

  constructor(private readonly html: string) {}

  facts(): Omit<HtmlFacts, 'bytes' | 'text'> {
    this.endLink();
    return {
      styleBytes: this.styleBytes,
      preview: this.preview.trim(),
      links: this.links,
      linkCount: this.linkCount,
      images: this.images,
      imageCount: this.imageCount,
      activeElements: [...this.activeElements],
      ...this.styles.facts(),
    };
  }

  text(raw: string): void {
    if (this.styleStart === undefined) this.styles.text(raw);
    const { link } = this;
    if (this.preview.length >= maxPreviewLength && (link === undefined || link.text.length >= maxLinkText)) return;
    const text = shown(raw);
    if (this.preview.length < maxPreviewLength) this.preview = joined(this.preview, text, maxPreviewLength);
    if (link !== undefined) link.text = joined(link.text, text, maxLinkText);
  }

  open(name: string, attributes: string, at: number): void {
    if (attributes.includes('style')) this.styleBytes += attributeOf(attributes, 'style')?.length ?? 0;
    this.styles.open(name, attributes);
    if (active.has(name)) this.activeElements.add(name);
    if (name === 'style') this.styleStart = at + attributes.length + 1;
    if (name === 'img') this.addImage(attributes);
    if (name === 'a') this.beginLink(attributes);
  }

  close(name: string, at: number): void {
    if (name === 'a') this.endLink();
    this.styles.close(name);
    if (name !== 'style' || this.styleStart === undefined) return;
    this.styleBytes += at - this.styleStart;
    this.styles.sheet(this.html.slice(this.styleStart, at));
    this.styleStart = undefined;
  }

  private addImage(attributes: string): void {
    this.imageCount++;
    if (this.images.length >= maxListed) return;
    const source = decodeHTMLAttribute(attributeOf(attributes, 'src')?.slice(0, maxUrlLength) ?? '');
    this.images.push({ source, alt: attributeOf(attributes, 'alt')?.slice(0, maxLinkText) ?? null });
  }

  private beginLink(attributes: string): void {
    this.endLink();
    const url = webAddress(attributeOf(attributes, 'href') ?? '');
    if (url === undefined) return;
    this.linkCount++;
    if (this.links.length < maxListed) this.link = { url, text: '' };
  }

  private endLink(): void {
    if (this.link === undefined) return;
    const { url, text } = this.link;
    this.link = undefined;
    const { domain, isIp } = parseHost(url.hostname, { allowPrivateDomains: false });
    this.links.push({
      url: url.href,
      host: domainToUnicode(url.hostname) || url.hostname,
      site: domain ?? url.hostname,
      isIpAddress: isIp === true,
      text: text.trim(),
      shownSite: siteShownBy(text.trim()),
    });
  }
}

function webAddress(raw: string): URL | undefined {
  if (raw.length > maxUrlLength) return undefined;
  const url = decodeHTMLAttribute(raw).trim();
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
}

/** Top-level domains that are endings of files, too. */
const fileEndings = new Set(['md', 'mov', 'pl', 'ps', 'py', 'rs', 'sh', 'zip']);

/**
 * The site of the address that a text consists of; null if it consists of something else. Text with a scheme or `www.` is
 * an address whatever its top level; other text only with a top level that exists, because `README.md` is none.
 */
function siteShownBy(text: string): string | null {
  const isUrl = /^https?:\/\/\S+$/i.test(text);
  if (!isUrl && !/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/:?#]\S*)?$/u.test(text)) return null;
  const address = isUrl ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const { hostname } = new URL(address);
  const { domain, isIcann, publicSuffix } = parseHost(hostname, { allowPrivateDomains: false });
  const isAddress = isUrl || /^www\./i.test(text) || (isIcann === true && !fileEndings.has(publicSuffix ?? ''));
  return isAddress ? (domain ?? hostname) : null;
}

/** Without the characters with which senders fill the preview. */
function shown(raw: string): string {
  return decodeHTML(raw.slice(0, 2 * maxPreviewLength + maxLinkText)).replace(
    /[\u00ad\u034f\u200b-\u200f\u2060\ufeff]/g,
    '',
  );
}

function joined(text: string, more: string, max: number): string {
  return `${text}${more}`.replace(/\s+/g, ' ').slice(0, max);
}
