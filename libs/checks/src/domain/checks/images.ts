import { Check, sources } from '../check.js';
import { counted, flaw, good, listed, notMeasured } from '../finding.js';
import { wordCount } from '../text-measures.js';
import { kilobytes } from './content.js';

const noImages = 'There are no images.';

const imageAlt: Check = {
  id: 'image_alt',
  source: sources.wcagImages,
  of: ({ message: { html } }) => {
    if (html === null || html.images.length === 0) return notMeasured(noImages);
    const without = html.images.filter(({ alt }) => alt === null);
    return without.length === 0
      ? good(
          `${html.imageCount === 1 ? 'The image has' : `All ${html.imageCount} images have`} alternative text, or an empty one for decoration.`,
        )
      : flaw(
          'warning',
          `${without.length} of ${counted(html.imageCount, 'image')} without \`alt\`: ${listed(without.map(({ source }) => source))}.`,
          'Describe the image in `alt`; use `alt=""` for decoration.',
        );
  },
};

const minWords = 20;

const imageText: Check = {
  id: 'image_text',
  source: sources.m3aawg,
  of: ({ message: { html } }) => {
    if (html === null || html.imageCount === 0) return notMeasured(noImages);
    const words = wordCount(html.text);
    return words < minWords
      ? flaw(
          'warning',
          `The email has ${counted(html.imageCount, 'image')} and ${counted(words, 'word')}.`,
          'Write text as text: many people see no images, and filters cannot read them.',
        )
      : good(`The email has ${counted(html.imageCount, 'image')} and ${counted(words, 'word')}.`);
  },
};

const imageSources: Check = {
  id: 'image_https',
  source: sources.gmail,
  of: ({ message: { html } }) => {
    if (html === null || html.images.length === 0) return notMeasured(noImages);
    const bad = html.images.filter(({ source }) => !/^(?:https:|cid:)/i.test(source));
    return bad.length === 0
      ? good('All images use https, or come with the message.')
      : flaw(
          'warning',
          `${listed(bad.map(({ source }) => source))} will not be shown everywhere.`,
          'Use https. Many mail clients show no `data:` images.',
        );
  },
};

const heavyBytes = 500 * 1024;

const inlineWeight: Check = {
  id: 'inline_images',
  source: sources.m3aawg,
  of: ({ message: { files } }) => {
    const inline = files.filter(({ isInline, contentType }) => isInline && contentType.startsWith('image/'));
    if (inline.length === 0) return notMeasured('No images come with the message.');
    const bytes = inline.reduce((sum, { size }) => sum + size, 0);
    const evidence = `${counted(inline, 'image')} (${kilobytes(bytes)}) ${inline.length === 1 ? 'comes' : 'come'} with the message.`;
    return bytes > heavyBytes
      ? flaw('advice', evidence, 'Host them on a server, or make them smaller: every recipient downloads all of them.')
      : good(evidence);
  },
};

export const imageChecks = [imageAlt, imageText, imageSources, inlineWeight];
