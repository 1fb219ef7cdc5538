import { Check, sources } from '../check.js';
import { flaw, good, listed, notMeasured } from '../finding.js';
import { Colour, ColouredText } from '../message-facts.js';

const noHtml = 'There is no html.';

interface Feature {
  readonly name: string;
  /** The clients that most people know among those that do not understand it. */
  readonly unknownTo: 'Gmail and Outlook on Windows' | 'Gmail' | 'Outlook on Windows';
}

/** By the name that the reader of the html gives them. The data is that of caniemail.com. */
export const features: Readonly<Record<string, Feature>> = {
  position: { name: '`position`', unknownTo: 'Gmail and Outlook on Windows' },
  grid: { name: '`display: grid`', unknownTo: 'Gmail and Outlook on Windows' },
  flex: { name: '`display: flex`', unknownTo: 'Outlook on Windows' },
  variables: { name: 'variables (`var()`)', unknownTo: 'Gmail and Outlook on Windows' },
  animation: { name: '`animation`', unknownTo: 'Gmail and Outlook on Windows' },
  import: { name: '`@import`', unknownTo: 'Gmail and Outlook on Windows' },
  stylesheet: { name: 'a linked style sheet', unknownTo: 'Gmail and Outlook on Windows' },
  background_image: { name: '`background-image`', unknownTo: 'Outlook on Windows' },
  calc: { name: '`calc()`', unknownTo: 'Outlook on Windows' },
  svg: { name: 'an SVG image', unknownTo: 'Gmail and Outlook on Windows' },
  webp: { name: 'a WebP image', unknownTo: 'Outlook on Windows' },
  video: { name: '`video` or `audio`', unknownTo: 'Gmail and Outlook on Windows' },
  large_style: { name: 'a `style` element above 16 KB', unknownTo: 'Gmail' },
};

const support: Check = {
  id: 'css_support',
  source: sources.canIEmail,
  of: ({ message: { html } }) => {
    if (html === null) return notMeasured(noHtml);
    const used = html.features.flatMap((id) => features[id] ?? []);
    if (used.length === 0) return good('The html uses nothing that Gmail or Outlook on Windows drops.');
    const [worst] = [...used].sort((a, b) => b.unknownTo.length - a.unknownTo.length) as [Feature];
    const same = used.filter(({ unknownTo }) => unknownTo === worst.unknownTo).map(({ name }) => name);
    const status = worst.unknownTo === 'Outlook on Windows' ? 'advice' : 'warning';
    const fix = 'Make sure that the email can be read without it.';
    const verb = worst.unknownTo.includes(' and ') ? 'leave' : 'leaves';
    return flaw(status, `${worst.unknownTo} ${verb} out ${joined(same)}.`, fix);
  },
};

/** Of text of ordinary size (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;
/** Large text may have this. Whether text is large is not known here. */
const minContrastOfLarge = 3;

const contrast: Check = {
  id: 'contrast',
  source: sources.wcagContrast,
  of: ({ message: { html } }) => {
    if (html === null || html.colours.length === 0) return notMeasured('The html sets no colours that are known here.');
    const [worst] = [...html.colours].sort((a, b) => contrastOf(a) - contrastOf(b)) as [ColouredText];
    const ratio = contrastOf(worst);
    const evidence = `${listed([worst.sample])} in ${hex(worst.text)} on ${hex(worst.background)} has a contrast of ${shown(ratio)}`;
    if (ratio >= minContrast) return good(`${evidence}, the lowest of all the text.`);
    return flaw(
      ratio < minContrastOfLarge ? 'warning' : 'advice',
      `${evidence}; most people need at least ${minContrast}.`,
      'Increase the difference between the text and its background.',
    );
  },
};

const colourScheme: Check = {
  id: 'dark_mode',
  source: sources.canIEmailDark,
  of: ({ message: { html } }) => {
    if (html === null || html.colours.length === 0) return notMeasured('The html sets no colours that are known here.');
    return html.hasColourScheme
      ? good('The html defines how it looks in dark mode.')
      : flaw(
          'advice',
          'The html sets colours but does not define dark mode, so mail clients make up their own colours.',
          'Declare `color-scheme`, and colours for `prefers-color-scheme: dark`.',
        );
  },
};

export const appearanceChecks = [support, contrast, colourScheme];

/** Contrast ratio of WCAG 2.2: from 1 to 21. */
function contrastOf({ text, background }: ColouredText): number {
  const [lighter, darker] = [luminanceOf(text), luminanceOf(background)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of WCAG 2.2. */
function luminanceOf(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Rounded down: 4.48 is not enough. */
function shown(ratio: number): string {
  return (Math.floor(ratio * 10) / 10).toString();
}

function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
